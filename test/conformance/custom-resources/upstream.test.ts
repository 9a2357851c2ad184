import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ConversionWebhook } from '../../support/conversion-webhook.ts';
import {
  type Any,
  DefinitionFixture,
  definition,
  definitions,
  freshGroup,
  instance,
  openSchema,
  pathOf,
  version,
} from './definition-fixture.ts';

/** Upstream's conformance tests of custom resources, with their titles. (kubernetes test/e2e/apimachinery) */

const fixture = DefinitionFixture.forSuite();

const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const yaml = 'application/yaml';
const apply = 'application/apply-patch+yaml';

const specSchema = {
  openAPIV3Schema: {
    description: 'Foo CRD for Testing',
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        description: 'Specification of Foo',
        properties: {
          bars: {
            type: 'array',
            description: 'List of Bars and their specs.',
            items: {
              type: 'object',
              required: ['name'],
              properties: {
                name: { type: 'string', description: 'Name of Bar.' },
                age: { type: 'string', description: 'Age of Bar.' },
              },
            },
          },
        },
      },
    },
  },
};

async function published(crd: Any, at = 'v1'): Promise<{ v3: Any; v2: Any }> {
  const { group, names } = crd.spec;
  const name = `${group.split('.').reverse().join('.')}.${at}.${names.kind}`;
  const v3 = await fixture.get(`/openapi/v3/apis/${group}/${at}`);
  const v2 = await fixture.get('/openapi/v2');
  return { v3: v3.json?.components?.schemas?.[name], v2: v2.json.definitions[name] };
}

const change = (crd: Any, spec: object): Promise<Any> => fixture.merge(`${definitions}/${crd.metadata.name}`, { spec });

describe('AggregatedDiscovery', () => {
  test('should support aggregated discovery interface for CRDs', async () => {
    const crd = await fixture.define({ versions: [version('v1', { subresources: { status: {} } })] });
    const { items } = (await fixture.get('/apis', {}, aggregated)).json;
    const group = items.find(({ metadata }: Any) => metadata.name === crd.spec.group);
    expect(group.versions[0]).toMatchObject({
      version: 'v1',
      resources: [
        {
          resource: 'foos',
          scope: 'Namespaced',
          singularResource: 'foo',
          responseKind: { group: crd.spec.group, version: 'v1', kind: 'Foo' },
          subresources: [{ subresource: 'status', verbs: ['get', 'patch', 'update'] }],
        },
      ],
    });
  });

  test('should support raw aggregated discovery request for CRDs', async () => {
    const crd = await fixture.define();
    const response = await fixture.get('/apis', {}, `${aggregated},application/json`);
    expect(response.headers['content-type']).toContain('as=APIGroupDiscoveryList');
    expect(response.body.toString()).toContain(crd.spec.group);
    await fixture.drop(crd);
    expect((await fixture.get('/apis', {}, aggregated)).body.toString()).not.toContain(`"${crd.spec.group}"`);
  });
});

describe('CustomResourceConversionWebhook', () => {
  let webhook: ConversionWebhook;
  beforeAll(async () => {
    webhook = await ConversionWebhook.open((object, apiVersion) => {
      const { hostPort, host, port, ...rest } = object;
      if (apiVersion.endsWith('/v1')) return { ...rest, hostPort: `${host}:${port}` };
      const [first, second] = hostPort.split(':');
      return { ...rest, host: first, port: second };
    });
  });
  afterAll(() => webhook.close());
  const versions = [version('v1'), version('v2')];

  test('should be able to convert from CR v1 to CR v2', async () => {
    const crd = await fixture.define({ versions, conversion: webhook.conversion });
    await fixture.ok('POST', pathOf(crd, 'v1'), instance(crd, 'name', { hostPort: 'localhost:8080' }));
    expect(await fixture.ok('GET', `${pathOf(crd, 'v2')}/name`)).toMatchObject({ host: 'localhost', port: '8080' });
  });

  test('should be able to convert a non homogeneous list of CRs', async () => {
    const crd = await fixture.define({ versions, conversion: webhook.conversion });
    await fixture.ok('POST', pathOf(crd, 'v1'), instance(crd, 'cr-instance-1', { hostPort: 'localhost:8080' }));
    const stored = crd.spec.versions.map((one: Any) => ({ ...one, storage: one.name === 'v2' }));
    const { status } = await change(crd, { versions: stored });
    expect(status.storedVersions).toEqual(['v1', 'v2']);
    await fixture.ok('POST', pathOf(crd, 'v1'), instance(crd, 'cr-instance-2', { hostPort: 'localhost:8080' }));
    for (const at of ['v1', 'v2']) {
      const { items } = await fixture.ok('GET', pathOf(crd, at));
      expect(items).toHaveLength(2);
      const wanted = at === 'v1' ? { hostPort: 'localhost:8080' } : { host: 'localhost', port: '8080' };
      for (const item of items) expect(item).toMatchObject({ apiVersion: `${crd.spec.group}/${at}`, ...wanted });
    }
  });

  test('CustomResourceFieldSelectors MUST list and watch custom resources matching the field selector', async () => {
    const selectable = (...names: string[]) => ({
      schema: {
        openAPIV3Schema: {
          type: 'object',
          properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
        },
      },
      selectableFields: names.map((name) => ({ jsonPath: `.${name}` })),
    });
    const crd = await fixture.define({
      versions: [version('v1', selectable('hostPort')), version('v2', selectable('host', 'port'))],
      conversion: webhook.conversion,
    });
    const watches = await Promise.all([
      fixture.fixture.watch(pathOf(crd, 'v1'), { fieldSelector: 'hostPort=host1:80' }),
      fixture.fixture.watch(pathOf(crd, 'v2'), { fieldSelector: 'host=host1' }),
    ]);
    await fixture.ok('POST', pathOf(crd, 'v1'), instance(crd, 'one', { hostPort: 'host1:80' }));
    await fixture.ok('POST', pathOf(crd, 'v1'), instance(crd, 'two', { hostPort: 'host1:8080' }));
    await fixture.ok('POST', pathOf(crd, 'v1'), instance(crd, 'three', { hostPort: 'host2:80' }));
    const names = async (at: string, fieldSelector: string): Promise<string[]> =>
      (await fixture.get(pathOf(crd, at), { fieldSelector })).json.items.map(({ metadata }: Any) => metadata.name);
    expect(await names('v1', 'hostPort=host1:80')).toEqual(['one']);
    expect(await names('v2', 'host=host1')).toEqual(['one', 'two']);
    expect(await names('v2', 'host=host1,port=80')).toEqual(['one']);
    const removed = await fixture.send('DELETE', `${pathOf(crd, 'v2')}?fieldSelector=host%3Dhost1`);
    expect(removed.status).toBe(200);
    expect(await names('v1', '')).toEqual(['three']);
    const received = await Promise.all([watches[0].take(2), watches[1].take(4)]);
    for (const watch of watches) watch.close();
    expect(received.map((events) => events.map(({ type }) => type))).toEqual([
      ['ADDED', 'DELETED'],
      ['ADDED', 'ADDED', 'DELETED', 'DELETED'],
    ]);
  });
});

describe('CustomResourceDefinition Watch', () => {
  test('CustomResourceDefinition Watch watch on custom resource definition objects', async () => {
    const crd = await fixture.define();
    const watches = await Promise.all(
      ['a', 'b'].map((name) => fixture.fixture.watch(pathOf(crd), { fieldSelector: `metadata.name=${name}` })),
    );
    for (const name of ['a', 'b']) {
      await fixture.ok('POST', pathOf(crd), instance(crd, name));
      await fixture.merge(`${pathOf(crd)}/${name}`, { spec: { changed: true } });
      await fixture.ok('DELETE', `${pathOf(crd)}/${name}`);
    }
    for (const [index, name] of ['a', 'b'].entries()) {
      const events = await watches[index].take(3);
      expect(events.map(({ type, object }) => `${type} ${object.metadata.name}`)).toEqual(
        ['ADDED', 'MODIFIED', 'DELETED'].map((type) => `${type} ${name}`),
      );
      watches[index].close();
    }
  });
});

describe('CustomResourceDefinition resources', () => {
  test('Simple CustomResourceDefinition creating/deleting custom resource definition objects works', async () => {
    const crd = await fixture.define();
    await fixture.drop(crd);
    expect((await fixture.get(`${definitions}/${crd.metadata.name}`)).status).toBe(404);
  });

  test('Simple CustomResourceDefinition listing custom resource definition objects works', async () => {
    const labels = { listed: 'yes' };
    const crds = Array.from({ length: 10 }, () => {
      const crd = definition();
      return { ...crd, metadata: { ...crd.metadata, labels } };
    });
    await Promise.all(crds.map((crd) => fixture.ok('POST', definitions, crd)));
    const others = (await fixture.ok('GET', definitions)).items.length - 10;
    expect((await fixture.ok('GET', `${definitions}?labelSelector=listed%3Dyes`)).items).toHaveLength(10);
    const stream = await fixture.fixture.watch(definitions, { labelSelector: 'listed=yes' });
    await stream.take(10);
    await fixture.ok('DELETE', `${definitions}?labelSelector=listed%3Dyes`);
    for (let left = 10; left > 0; ) if ((await stream.next())?.type === 'DELETED') left--;
    stream.close();
    expect((await fixture.ok('GET', definitions)).items).toHaveLength(others);
  });

  test('Simple CustomResourceDefinition getting/updating/patching custom resource definition status sub-resource works', async () => {
    const crd = await fixture.define();
    const path = `${definitions}/${crd.metadata.name}/status`;
    const got = await fixture.ok('GET', path);
    const condition = { type: 'StatusUpdate', status: 'True', reason: 'E2E', message: 'Set from e2e test' };
    got.status.conditions.push({ ...condition, lastTransitionTime: null });
    const updated = await fixture.ok('PUT', path, got);
    expect(updated.status.conditions).toContainEqual(expect.objectContaining(condition));
    const patched = await fixture.merge(path, {
      metadata: { annotations: { patchedstatus: 'true' } },
      status: { conditions: updated.status.conditions.slice(0, 2) },
    });
    expect(patched.status.conditions).toHaveLength(2);
  });

  test('should include custom resource definition resources in discovery documents', async () => {
    const group = 'apiextensions.k8s.io';
    const { groups } = await fixture.ok('GET', '/apis');
    expect(groups.find(({ name }: Any) => name === group).versions).toContainEqual({
      groupVersion: `${group}/v1`,
      version: 'v1',
    });
    expect((await fixture.ok('GET', `/apis/${group}`)).preferredVersion.version).toBe('v1');
    const { resources } = await fixture.ok('GET', `/apis/${group}/v1`);
    expect(resources.map(({ name }: Any) => name)).toContain('customresourcedefinitions');
  });

  test('custom resource defaulting for requests and from storage works', async () => {
    const schema = (more: object) => ({
      openAPIV3Schema: { type: 'object', properties: { a: { type: 'string' }, ...more } },
    });
    const crd = await fixture.define({ versions: [version('v1', { schema: schema({}) })] });
    await fixture.ok('POST', pathOf(crd), instance(crd, 'old'));
    await change(crd, { versions: [version('v1', { schema: schema({ a: { type: 'string', default: 'A' } }) })] });
    expect((await fixture.ok('GET', `${pathOf(crd)}/old`)).a).toBe('A');
    expect((await fixture.ok('GET', pathOf(crd))).items[0].a).toBe('A');
    expect((await fixture.ok('POST', pathOf(crd), instance(crd, 'new'))).a).toBe('A');
    await change(crd, {
      versions: [version('v1', { schema: schema({ b: { type: 'string', default: 'B' } }) })],
    });
    expect(await fixture.ok('GET', `${pathOf(crd)}/new`)).toMatchObject({ a: 'A', b: 'B' });
    const old = await fixture.ok('GET', `${pathOf(crd)}/old`);
    expect(old).toMatchObject({ b: 'B' });
    expect(old.a).toBeUndefined();
    const watch = await fixture.fixture.watch(pathOf(crd));
    const events = await watch.take(2);
    watch.close();
    expect(events.map(({ object }) => object.b)).toEqual(['B', 'B']);
  });
});

describe('CustomResourcePublishOpenAPI', () => {
  test('works for CRD with validation schema', async () => {
    const crd = await fixture.define({ versions: [version('v1', { schema: specSchema })] });
    const { v3, v2 } = await published(crd);
    for (const schema of [v3, v2]) {
      expect(schema.description).toBe('Foo CRD for Testing');
      expect(schema.properties.spec.properties.bars.items.properties.age.description).toBe('Age of Bar.');
      expect(schema['x-kubernetes-group-version-kind']).toEqual([{ group: crd.spec.group, kind: 'Foo', version: 'v1' }]);
    }
    expect(v2.properties.metadata.$ref).toBe('#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta');
    expect(v3.properties.metadata.allOf[0].$ref).toBe('#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta');
  });

  test('works for CRD without validation schema', async () => {
    const crd = await fixture.define();
    const { v2 } = await published(crd);
    expect(v2).toEqual({
      type: 'object',
      'x-kubernetes-group-version-kind': [{ group: crd.spec.group, kind: 'Foo', version: 'v1' }],
    });
  });

  test('works for CRD preserving unknown fields in an embedded object', async () => {
    const embedded = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, description: 'Anything' };
    const schema = { openAPIV3Schema: { type: 'object', properties: { spec: embedded } } };
    const crd = await fixture.define({ versions: [version('v1', { schema })] });
    const { v2, v3 } = await published(crd);
    expect(v2.properties.spec).toEqual({ description: 'Anything', 'x-kubernetes-preserve-unknown-fields': true });
    expect(v3.properties.spec).toEqual(embedded);
  });

  test('works for multiple CRDs of different groups', async () => {
    const crds = await Promise.all([fixture.define(), fixture.define()]);
    for (const crd of crds) expect((await published(crd)).v3).toBeDefined();
  });

  test('works for multiple CRDs of same group and version but different kinds', async () => {
    const group = freshGroup();
    const crds = await Promise.all(['Foo', 'Bar'].map((kind) => fixture.define({ group, kind })));
    for (const crd of crds) {
      const { v3, v2 } = await published(crd);
      expect(v3).toBeDefined();
      expect(v2).toBeDefined();
    }
    await fixture.drop(crds[0]);
    expect((await published(crds[0])).v3).toBeUndefined();
    expect((await published(crds[1])).v3).toBeDefined();
  });

  test('works for multiple CRDs of same group but different versions', async () => {
    const crd = await fixture.define({ versions: [version('v1'), version('v2')] });
    for (const at of ['v1', 'v2']) expect((await published(crd, at)).v3).toBeDefined();
  });

  test('updates the published spec when one version gets renamed', async () => {
    const crd = await fixture.define({ versions: [version('v1'), version('v2')] });
    await change(crd, { versions: [version('v1'), version('v4')] });
    expect((await published(crd, 'v2')).v3).toBeUndefined();
    expect((await published(crd, 'v4')).v3).toBeDefined();
    expect((await published(crd, 'v1')).v3).toBeDefined();
  });

  test('removes definition from spec when one version gets changed to not be served', async () => {
    const crd = await fixture.define({ versions: [version('v1'), version('v2')] });
    await change(crd, { versions: [version('v1'), version('v2', { served: false })] });
    const gone = await published(crd, 'v2');
    expect(gone.v3).toBeUndefined();
    expect(gone.v2).toBeUndefined();
    expect((await published(crd, 'v1')).v2).toBeDefined();
  });

  test('serves each document with a hash that changes with it', async () => {
    const crd = await fixture.define({ versions: [version('v1', { schema: specSchema })] });
    const path = `apis/${crd.spec.group}/v1`;
    const url = async (): Promise<string> => (await fixture.ok('GET', '/openapi/v3')).paths[path].serverRelativeURL;
    const before = await url();
    expect((await fixture.get(before)).headers['cache-control']).toContain('immutable');
    await change(crd, { versions: [version('v1', { schema: openSchema })] });
    const after = await url();
    expect(after).not.toBe(before);
    expect((await fixture.get(before)).status).toBe(301);
    const document = (await fixture.get(after)).json;
    const names = new Set(Object.keys(document.components.schemas));
    const referred = [...JSON.stringify(document).matchAll(/#\/components\/schemas\/([^"]+)/g)].map(([, name]) => name);
    expect(referred.filter((name) => !names.has(name))).toEqual([]);
  });
});

describe('FieldValidation', () => {
  const strict = '?fieldValidation=Strict';

  test('should create/apply a CR with unknown fields for CRD with no validation schema', async () => {
    const crd = await fixture.define();
    const object = instance(crd, 'a', { spec: { unknown: 'uk1', other: { x: 1 } } });
    expect((await fixture.send('PATCH', `${pathOf(crd)}/a${strict}&fieldManager=t`, object, apply)).status).toBe(201);
    expect((await fixture.ok('GET', `${pathOf(crd)}/a`)).spec).toEqual({ unknown: 'uk1', other: { x: 1 } });
  });

  test('should create/apply a valid CR for CRD with validation schema', async () => {
    const crd = await fixture.define({ versions: [version('v1', { schema: specSchema })] });
    const object = instance(crd, 'a', { spec: { bars: [{ name: 'b', age: '1' }] } });
    expect((await fixture.send('PATCH', `${pathOf(crd)}/a${strict}&fieldManager=t`, object, apply)).status).toBe(201);
  });

  test('should create/apply an invalid CR with extra properties for CRD with validation schema', async () => {
    const crd = await fixture.define({ versions: [version('v1', { schema: specSchema })] });
    const object = instance(crd, 'a', { spec: { bars: [{ name: 'b', extra: 1 }], unknown: 1 } });
    const response = await fixture.send('POST', `${pathOf(crd)}${strict}`, object);
    expect(response.status).toBe(400);
    expect(response.json.message).toContain('strict decoding error: ');
    expect(response.json.message).toContain('unknown field "spec.unknown"');
    expect(response.json.message).toContain('unknown field "spec.bars[0].extra"');
    const warned = await fixture.send('POST', `${pathOf(crd)}?fieldValidation=Warn`, object);
    expect(warned.status).toBe(201);
    expect(warned.headers.warning).toContain('unknown field \\"spec.unknown\\"');
    expect(warned.json.spec).toEqual({ bars: [{ name: 'b' }] });
  });

  test('should detect duplicates in a CR when preserving unknown fields', async () => {
    const crd = await fixture.define();
    const text = `apiVersion: ${crd.spec.group}/v1\nkind: Foo\nmetadata: {name: a}\nspec: {x: 1, x: 2}\n`;
    const response = await fixture.send('POST', `${pathOf(crd)}${strict}`, text, yaml);
    expect(response.status).toBe(400);
    expect(response.json.message).toContain('key "x" already set in map');
    const asJson = JSON.stringify(instance(crd, 'a', { spec: { x: 1 } })).replace('"x":1', '"x":1,"x":2');
    const other = await fixture.send('POST', `${pathOf(crd)}${strict}`, asJson);
    expect(other.json.message).toContain('duplicate field "spec.x"');
  });

  test('should detect unknown metadata fields of both the root and embedded objects of a CR', async () => {
    const template = {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
    };
    const schema = {
      openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: { template } } } },
    };
    const crd = await fixture.define({ versions: [version('v1', { schema })] });
    const object = instance(crd, 'a', {
      spec: { template: { apiVersion: 'foo/v1', kind: 'Sub', metadata: { name: 'sub', unknownSubMeta: 'x' } } },
    });
    object.metadata.unknownMeta = 'x';
    const { json } = await fixture.send('POST', `${pathOf(crd)}${strict}`, object);
    expect(json.message).toContain('unknown field "metadata.unknownMeta"');
    expect(json.message).toContain('unknown field "spec.template.metadata.unknownSubMeta"');
  });
});
