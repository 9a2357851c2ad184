import { describe, expect, test } from '@jest/globals';
import { Kubectl, testKubectl } from '../../support/kubectl.ts';
import { type Any, DefinitionFixture, instance, openSchema, pathOf, version } from '../custom-resources/definition-fixture.ts';

const aggregated = (at: string) => `application/json;g=apidiscovery.k8s.io;v=${at};as=APIGroupDiscoveryList`;

/** Upstream's conformance tests of discovery, with their titles. */
const fixture = DefinitionFixture.forSuite();

test('server version should find the server version', async () => {
  const { major, minor } = (await fixture.get('/version')).json;
  expect([major, minor].every((text) => /^\d+$/.test(text))).toBe(true);
});

describe('Discovery', () => {
  test('should validate PreferredVersion for each APIGroup', async () => {
    const { groups } = (await fixture.get('/apis')).json;
    expect(groups.length).toBeGreaterThan(10);
    for (const { name, versions, preferredVersion } of groups) {
      expect(versions).toContainEqual(preferredVersion);
      expect(preferredVersion.groupVersion).toBe(`${name}/${preferredVersion.version}`);
      expect((await fixture.get(`/apis/${name}`)).json).toMatchObject({ name, versions, preferredVersion });
    }
  });

  test('should locate the groupVersion and a resource within each APIGroup', async () => {
    for (const { versions } of (await fixture.get('/apis')).json.groups) {
      for (const { groupVersion } of versions) {
        const { json } = await fixture.get(`/apis/${groupVersion}`);
        expect([json.kind, json.groupVersion]).toEqual(['APIResourceList', groupVersion]);
        expect(json.resources.length).toBeGreaterThan(0);
      }
    }
  });
});

describe('AggregatedDiscovery', () => {
  test('should support aggregated discovery interface', async () => {
    const [core, named] = [await fixture.get('/api', {}, aggregated('v2')), await fixture.get('/apis', {}, aggregated('v2'))];
    const resources = [...core.json.items, ...named.json.items].flatMap((group: Any) =>
      group.versions.flatMap((one: Any) =>
        one.resources.map(({ resource }: Any) => `${group.metadata.name ?? ''}/${one.version}/${resource}`),
      ),
    );
    expect(resources).toEqual(
      expect.arrayContaining([
        '/v1/namespaces',
        '/v1/pods',
        'apps/v1/deployments',
        'batch/v1/jobs',
        'admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
        'apiextensions.k8s.io/v1/customresourcedefinitions',
      ]),
    );
  });

  test('should support raw aggregated discovery endpoint Accept headers', async () => {
    const plain = { '/api': 'APIVersions', '/apis': 'APIGroupList' };
    for (const path of ['/api', '/apis'] as const) {
      const found = await fixture.get(path, {}, aggregated('v2'));
      expect([found.headers['content-type'], found.json.kind, found.json.apiVersion]).toEqual([
        aggregated('v2'),
        'APIGroupDiscoveryList',
        'apidiscovery.k8s.io/v2',
      ]);
      const all = `${aggregated('v2')},${aggregated('v2beta1')},application/json`;
      expect((await fixture.get(path, {}, all)).headers['content-type']).toBe(aggregated('v2'));
      const { headers, json } = await fixture.get(path, {}, 'application/json');
      expect([headers['content-type'], json.kind]).toEqual(['application/json', plain[path]]);
    }
  });
});

test('AdmissionWebhook should include webhook resources in discovery documents', async () => {
  const name = 'admissionregistration.k8s.io';
  const groupVersion = { groupVersion: `${name}/v1`, version: 'v1' };
  const group = (await fixture.get('/apis')).json.groups.find((one: Any) => one.name === name);
  expect(group.versions).toContainEqual(groupVersion);
  expect((await fixture.get(`/apis/${name}`)).json.versions).toContainEqual(groupVersion);
  const names = (await fixture.get(`/apis/${name}/v1`)).json.resources.map((one: Any) => one.name);
  expect(names).toEqual(expect.arrayContaining(['mutatingwebhookconfigurations', 'validatingwebhookconfigurations']));
});

describe('CustomResourcePublishOpenAPI', () => {
  test('works for CRD preserving unknown fields at the schema root', async () => {
    const crd = await fixture.define({ versions: [version('v1', { schema: openSchema })] });
    const { group, names } = crd.spec;
    const name = `${group.split('.').reverse().join('.')}.v1.${names.kind}`;
    const { components } = (await fixture.get(`/openapi/v3/apis/${group}/v1`)).json;
    expect(components.schemas[name]).toMatchObject({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true });
    const object = instance(crd, 'any', { whatever: { is: [1] } });
    const made = await fixture.send('POST', `${pathOf(crd)}?fieldValidation=Strict`, object);
    expect([made.status, made.json.whatever]).toEqual([201, object.whatever]);
  });

  testKubectl('works for CRD preserving unknown fields at the schema root, in kubectl', async () => {
    const crd = await fixture.define({ versions: [version('v1', { schema: openSchema })] });
    const kubectl = await Kubectl.for(fixture.fixture.server.kubeconfig);
    try {
      const other = JSON.stringify(instance(crd, 'kubectl', { whatever: 1 }));
      await kubectl.ok(['create', '--validate=strict', '-f', '-'], { stdin: other });
      expect(await kubectl.ok(['explain', `foos.${crd.spec.group}`])).toMatch(/KIND: +Foo/);
    } finally {
      await kubectl.close();
    }
  });
});
