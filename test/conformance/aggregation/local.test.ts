import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { startServer } from '../../../runtime/index.ts';
import { HttpClient } from '../../support/http-client.ts';
import type { TestObject } from '../../support/test-object.ts';
import { TestServer } from '../../support/test-server.ts';
import { WatchStream } from '../../support/watch-stream.ts';

const apiServices = '/apis/apiregistration.k8s.io/v1/apiservices';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const managedLabel = 'kube-aggregator.kubernetes.io/automanaged';

const nameOf = ({ name }: { name: string }): string => name;

function definition(group: string, versions: readonly string[]): string {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  return JSON.stringify({
    metadata: { name: `stars.${group}` },
    spec: {
      group,
      scope: 'Cluster',
      names: { plural: 'stars', kind: 'Star' },
      versions: versions.map((name, index) => ({ name, served: true, storage: index === 0, schema })),
    },
  });
}

describe('the APIServices of what the server itself serves', () => {
  const suite = TestServer.forSuite();

  async function groups(): Promise<string[]> {
    return (await suite.http.get('/apis')).json.groups.map(nameOf);
  }

  /** Resolves with the first event that has this type and name. */
  async function event(watch: WatchStream, type: string, name: string): Promise<TestObject> {
    for (;;) {
      const next = await watch.next();
      if (next === undefined) throw new Error('the watch has ended');
      if (next.type === type && next.object.metadata.name === name) return next.object;
    }
  }

  test.each([
    ['v1.', 18_000, 1],
    ['v1.apps', 17_800, 15],
    ['v2.autoscaling', 17_500, 30],
    ['v1.resource.k8s.io', 16_200, 21],
    ['v1.flowcontrol.apiserver.k8s.io', 16_100, 21],
  ])('%s has the priorities of kube-apiserver and is available', async (name, group, version) => {
    const { json } = await suite.http.get(`${apiServices}/${name}`);
    expect(json.metadata.labels).toEqual({ [managedLabel]: 'onstart' });
    expect(json.spec).toEqual({
      ...(name === 'v1.' ? {} : { group: name.slice(name.indexOf('.') + 1) }),
      version: name.slice(0, name.indexOf('.')),
      groupPriorityMinimum: group,
      versionPriority: version,
    });
    expect(json.status.conditions).toEqual([
      {
        type: 'Available',
        status: 'True',
        reason: 'Local',
        lastTransitionTime: expect.any(String),
        message: 'Local APIServices are always available',
      },
    ]);
  });

  test('every group-version but that of APIServices has one', async () => {
    const { json } = await suite.http.get(apiServices);
    const { paths } = (await suite.http.get('/')).json;
    const served = paths
      .map((path: string) => path.split('/'))
      .filter(([, root, , version]: string[]) => root === 'apis' && version !== undefined)
      .map(([, , group, version]: string[]) => `${version}.${group}`);
    const names = json.items.map((item: TestObject) => item.metadata.name);
    expect(names.sort()).toEqual(['v1.', ...served].filter((name) => name !== 'v1.apiregistration.k8s.io').sort());
  });

  test('those of definitions come and go with the served versions, and come back if they are deleted', async () => {
    const watch = await WatchStream.open(suite.server, `${apiServices}?watch=true&resourceVersion=0`);
    await suite.http.send('POST', definitions, definition('sky.example', ['v1', 'v2']), 'application/json');
    const added = await event(watch, 'ADDED', 'v2.sky.example');
    expect(added.metadata.labels).toEqual({ [managedLabel]: 'true' });
    expect(added.spec).toEqual({
      group: 'sky.example',
      version: 'v2',
      groupPriorityMinimum: 1000,
      versionPriority: 100,
    });
    expect((await suite.http.get('/apis/sky.example')).json.preferredVersion.version).toBe('v2');

    expect((await suite.http.send('DELETE', `${apiServices}/v2.sky.example`)).status).toBe(200);
    expect(await groups()).toContain('sky.example');
    const again = await event(watch, 'ADDED', 'v2.sky.example');
    expect(again.metadata.uid).not.toBe(added.metadata.uid);

    const patch = JSON.stringify([{ op: 'replace', path: '/spec/versions/1/served', value: false }]);
    await suite.http.send('PATCH', `${definitions}/stars.sky.example`, patch, 'application/json-patch+json');
    await event(watch, 'DELETED', 'v2.sky.example');
    await suite.http.send('DELETE', `${definitions}/stars.sky.example`);
    await event(watch, 'DELETED', 'v1.sky.example');
    expect(await groups()).not.toContain('sky.example');
    watch.close();
  });

  test('their priorities order /apis', async () => {
    expect((await groups()).slice(0, 3)).toEqual(['apiregistration.k8s.io', 'apps', 'events.k8s.io']);
    const patch = JSON.stringify({ spec: { groupPriorityMinimum: 19_000 } });
    await suite.http.send('PATCH', `${apiServices}/v1.batch`, patch, 'application/merge-patch+json');
    expect((await groups()).slice(0, 3)).toEqual(['apiregistration.k8s.io', 'batch', 'apps']);
    await suite.http.send('PATCH', `${apiServices}/v1.autoscaling`, '{"spec":{"versionPriority":31}}', 'application/merge-patch+json');
    expect((await suite.http.get('/apis/autoscaling')).json.preferredVersion.version).toBe('v1');
  });

  test('without one, a group is not in /apis, but is served and in aggregated discovery', async () => {
    expect((await suite.http.send('DELETE', `${apiServices}/v1.policy`)).status).toBe(200);
    expect(await groups()).not.toContain('policy');
    expect((await suite.http.get('/apis/policy')).json.preferredVersion.version).toBe('v1');
    expect((await suite.http.get('/apis/policy/v1/poddisruptionbudgets')).status).toBe(200);
    const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
    const { json } = await suite.http.get('/apis', { headers: { accept } });
    const names = json.items.map(({ metadata }: TestObject) => metadata.name);
    expect(names).toContain('policy');
    expect(names.slice(0, 2)).toEqual(['apiregistration.k8s.io', 'apps']);
  });
});

describe('at the next start', () => {
  test('deleted and changed APIServices of the server are as before, and those of nobody are gone', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'kubeloom-aggregation-'));
    try {
      const first = await startServer({ storage: 'lmdb', dataDir });
      const http = HttpClient.for(first);
      await http.send('DELETE', `${apiServices}/v1.policy`);
      const patch = '{"spec":{"groupPriorityMinimum":19000}}';
      await http.send('PATCH', `${apiServices}/v1.batch`, patch, 'application/merge-patch+json');
      const stray = {
        metadata: { name: 'v9.gone.example', labels: { [managedLabel]: 'onstart' } },
        spec: { group: 'gone.example', version: 'v9', groupPriorityMinimum: 1, versionPriority: 1 },
      };
      expect((await http.send('POST', apiServices, JSON.stringify(stray), 'application/json')).status).toBe(201);
      http.close();
      await first.close();

      const second = await startServer({ storage: 'lmdb', dataDir });
      const again = HttpClient.for(second);
      expect((await again.get(`${apiServices}/v1.policy`)).status).toBe(200);
      expect((await again.get(`${apiServices}/v1.batch`)).json.spec.groupPriorityMinimum).toBe(17_400);
      expect((await again.get(`${apiServices}/v9.gone.example`)).status).toBe(404);
      again.close();
      await second.close();
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});

describe('validation', () => {
  const suite = TestServer.forSuite();
  const service = { namespace: 'default', name: 'api' };
  const spec = { group: 'a.example', version: 'v1', groupPriorityMinimum: 100, versionPriority: 10 };

  test.each([
    [
      'an own name',
      { ...spec, version: 'v2' },
      ['metadata.name: Invalid value: "v1.a.example": must be `spec.version+"."+spec.group`: "v2.a.example"'],
    ],
    [
      'priorities',
      { ...spec, groupPriorityMinimum: 20_001, versionPriority: 0 },
      [
        'spec.groupPriorityMinimum: Invalid value: 20001: must be positive and less than 20000',
        'spec.versionPriority: Invalid value: 0: must be positive and less than 1000',
      ],
    ],
    [
      'TLS of a local one',
      { ...spec, caBundle: 'YWJj', insecureSkipTLSVerify: true },
      [
        'spec.caBundle: Invalid value: "3 bytes": local APIServices may not have a caBundle',
        'spec.insecureSkipTLSVerify: Invalid value: true: local APIServices may not have insecureSkipTLSVerify',
      ],
    ],
    [
      'an empty service',
      { ...spec, service: { port: 0 } },
      [
        'spec.service.namespace: Required value',
        'spec.service.name: Required value',
        'spec.service.port: Invalid value: 0: port is not valid: must be between 1 and 65535, inclusive',
      ],
    ],
    [
      'two ways of trust',
      { ...spec, service, caBundle: 'YWJj', insecureSkipTLSVerify: true },
      ['spec.insecureSkipTLSVerify: Invalid value: true: may not be true if caBundle is present'],
    ],
  ])('%s', async (_title, invalid, messages) => {
    const body = JSON.stringify({ metadata: { name: 'v1.a.example' }, spec: invalid });
    const { status, json } = await suite.http.send('POST', apiServices, body, 'application/json');
    expect(status).toBe(422);
    const found = json.details.causes.map((cause: { field: string; message: string }) => `${cause.field}: ${cause.message}`);
    expect(found).toEqual(messages);
  });

  test('a status has one of three values, and a remote APIService none at first', async () => {
    const body = JSON.stringify({
      metadata: { name: 'v1.a.example' },
      spec: { ...spec, service },
      status: { conditions: [{ type: 'Available', status: 'True' }] },
    });
    const { json } = await suite.http.send('POST', apiServices, body, 'application/json');
    expect([json.spec.service.port, json.status]).toEqual([443, {}]);
    const patch = JSON.stringify({ status: { conditions: [{ type: 'Other', status: 'Perhaps' }] } });
    const patched = await suite.http.send('PATCH', `${apiServices}/v1.a.example/status`, patch, 'application/merge-patch+json');
    expect(patched.json.message).toContain(
      'status.conditions[0].status: Unsupported value: "Perhaps": supported values: "True", "False", "Unknown"',
    );
  });
});
