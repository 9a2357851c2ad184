import { expect, test } from '@jest/globals';
import { type Any, DefinitionFixture, definitions, instance, pathOf, version } from './definition-fixture.ts';

const apply = 'application/apply-patch+yaml';
const merge = 'application/merge-patch+json';

const fixture = DefinitionFixture.forSuite();

test('a write of the status runs the rules of the status with its old value, and not the rules of the spec', async () => {
  const n = { type: 'integer' };
  const openAPIV3Schema = {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: { n },
        'x-kubernetes-validations': [{ rule: 'self.n < 5', message: 'n is small' }],
      },
      status: {
        type: 'object',
        properties: { n },
        'x-kubernetes-validations': [{ rule: 'self.n >= oldSelf.n', message: 'n only grows' }],
      },
    },
    'x-kubernetes-validations': [{ rule: '!has(self.status) || self.status.n <= self.spec.n', message: 'no more than wanted' }],
  };
  const crd = await fixture.define({
    versions: [version('v1', { schema: { openAPIV3Schema }, subresources: { status: {} } })],
  });
  const path = `${pathOf(crd)}/x`;
  await fixture.ok('POST', pathOf(crd), instance(crd, 'x', { spec: { n: 3 } }));
  const write = async (status: object): Promise<string> => {
    const response = await fixture.send('PATCH', `${path}/status`, { status }, merge);
    return response.status === 200 ? 'ok' : response.json.message.replace(/^.* is invalid: /, '');
  };
  expect(await write({ n: 2 })).toBe('ok');
  expect(await write({ n: 1 })).toBe('status: Invalid value: n only grows');
  expect(await write({ n: 4 })).toBe('<nil>: Invalid value: no more than wanted');
  expect(await write({ n: 3 })).toBe('ok');
  expect((await fixture.ok('GET', path)).status).toEqual({ n: 3 });
});

test('an apply to a scale meets conflicts, and cannot be stored', async () => {
  const openAPIV3Schema = {
    type: 'object',
    properties: {
      spec: { type: 'object', properties: { replicas: { type: 'integer' }, other: { type: 'string' } } },
      status: { type: 'object', properties: { replicas: { type: 'integer' } } },
    },
  };
  const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };
  const crd = await fixture.define({
    versions: [version('v1', { schema: { openAPIV3Schema }, subresources: { status: {}, scale } })],
  });
  const path = `${pathOf(crd)}/x`;
  const whole = instance(crd, 'x', { spec: { replicas: 1, other: 'a' } });
  await fixture.ok('PATCH', `${path}?fieldManager=me`, whole, apply);
  const wanted = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'x' }, spec: { replicas: 5 } };
  const send = (force: boolean) => fixture.send('PATCH', `${path}/scale?fieldManager=scaler&force=${force}`, wanted, apply);
  const rejected = await send(false);
  expect([rejected.status, rejected.json.details.causes]).toEqual([
    409,
    [
      {
        reason: 'FieldManagerConflict',
        message: expect.stringContaining('conflict with "me"'),
        field: '.spec.replicas',
      },
    ],
  ]);
  // upstream has no way back from an applied Scale to the custom resource
  expect((await send(true)).json).toMatchObject({ code: 500, message: expect.stringContaining('failed to convert new object (/x;') });
});

test('an update of a scale takes the replicas over from their manager', async () => {
  const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };
  const openAPIV3Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const crd = await fixture.define({ versions: [version('v1', { schema: { openAPIV3Schema }, subresources: { scale } })] });
  const path = `${pathOf(crd)}/x`;
  await fixture.ok('PATCH', `${path}?fieldManager=me`, instance(crd, 'x', { spec: { replicas: 1, other: 'a' } }), apply);
  await fixture.ok('PATCH', `${path}/scale?fieldManager=scaler`, { spec: { replicas: 5 } }, merge);
  const { metadata, spec } = await fixture.ok('GET', path);
  expect(spec).toEqual({ replicas: 5, other: 'a' });
  expect(metadata.managedFields.map(({ manager, subresource, fieldsV1 }: Any) => [manager, subresource, fieldsV1])).toEqual([
    ['me', undefined, { 'f:spec': { '.': {}, 'f:other': {} } }],
    ['scaler', 'scale', { 'f:spec': { 'f:replicas': {} } }],
  ]);
});

test('errors of rules about unchanged values are warnings', async () => {
  const versionWith = (more: object) => {
    const spec = { type: 'object', properties: { n: { type: 'integer' }, m: { type: 'integer' } }, ...more };
    return version('v1', { schema: { openAPIV3Schema: { type: 'object', properties: { spec } } } });
  };
  const crd = await fixture.define({ versions: [versionWith({})] });
  const path = `${pathOf(crd)}/a`;
  await fixture.ok('POST', pathOf(crd), instance(crd, 'a', { spec: { n: 3 } }));
  const rules = [{ rule: 'self.n != 3', message: 'three is out' }];
  const ruled = { spec: { versions: [versionWith({ 'x-kubernetes-validations': rules })] } };
  await fixture.merge(`${definitions}/${crd.metadata.name}`, ruled);
  // wait until the rule is served
  const dryRun = () => fixture.send('PATCH', `${path}?dryRun=All`, { spec: { m: 1 } }, merge);
  while ((await dryRun()).status !== 422);
  const { status, headers } = await fixture.send('PATCH', path, { metadata: { labels: { a: 'b' } } }, merge);
  expect([status, headers.warning]).toEqual([200, '299 - "spec: Invalid value: three is out"']);
});

test('versions that may still be stored stay in status.storedVersions until a client removes them', async () => {
  const versions = (...stored: boolean[]): object[] => stored.map((storage, index) => version(`v${index + 1}`, { storage }));
  const crd = await fixture.define({ versions: versions(true, false) });
  const path = `${definitions}/${crd.metadata.name}`;
  const moved = await fixture.merge(path, { spec: { versions: versions(false, true) } });
  expect(moved.status.storedVersions).toEqual(['v1', 'v2']);
  const say = async (storedVersions: string[]): Promise<Any> =>
    (await fixture.ok('PATCH', `${path}/status`, { status: { storedVersions } }, merge)).status.storedVersions;
  const last = [version('v2', { storage: true })];
  const early = await fixture.send('PATCH', path, { spec: { versions: last } }, merge);
  expect([early.status, early.json.details.causes[0].field]).toEqual([422, 'status.storedVersions[0]']);
  // the server accepts the client's list; the next change adds the stored version again
  expect(await say(['v1'])).toEqual(['v1']);
  const back = await fixture.merge(path, { spec: { names: { shortNames: ['f'] } } });
  expect(back.status.storedVersions).toEqual(['v1', 'v2']);
  expect(await say(['v2'])).toEqual(['v2']);
  expect((await fixture.merge(path, { spec: { versions: last } })).spec.versions).toHaveLength(1);
});

test('large integers and fractions are exact in lists and watches of every encoding', async () => {
  const openAPIV3Schema = {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: {
          big: { type: 'integer', format: 'int64' },
          part: { type: 'number' },
          tiny: { type: 'number' },
          huge: { type: 'number' },
        },
      },
    },
  };
  const crd = await fixture.define({ versions: [version('v1', { schema: { openAPIV3Schema } })] });
  const { apiVersion, kind } = instance(crd, 'x');
  const watch = await fixture.fixture.watch(pathOf(crd));
  const spec = '{"big":9007199254740993,"part":1.0,"tiny":0.1,"huge":1e21}';
  const body = `{"apiVersion":"${apiVersion}","kind":"${kind}","metadata":{"name":"x"},"spec":${spec}}`;
  expect((await fixture.send('POST', pathOf(crd), body)).status).toBe(201);
  const want = '"spec":{"big":9007199254740993,"huge":1e+21,"part":1,"tiny":0.1}';
  const asWritten = '"spec":{"big":9007199254740993,"part":1,"tiny":0.1,"huge":1e+21}';
  const list = (await fixture.get(pathOf(crd))).body.toString();
  expect([want, asWritten].some((text) => list.includes(text))).toBe(true);
  expect((await watch.next())?.object.spec).toMatchObject({ part: 1, tiny: 0.1, huge: 1e21 });
  watch.close();
  const yaml = (await fixture.get(pathOf(crd), {}, 'application/yaml')).body.toString();
  for (const line of ['big: 9007199254740993', 'huge: 1e+21', 'part: 1', 'tiny: 0.1']) expect(yaml).toContain(line);
  const stream = (await fixture.get(pathOf(crd), { watch: '1', timeoutSeconds: '1' })).body.toString();
  expect(stream).toContain('"big":9007199254740993');
});
