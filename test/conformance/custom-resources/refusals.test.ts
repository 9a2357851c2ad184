import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Any, DefinitionFixture, instance, pathOf, version } from './definition-fixture.ts';

/** The refusals of invalid writes of custom resources, in upstream's words. */

const fixture = DefinitionFixture.forSuite();

const schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        a: { type: 'string' },
        d: { type: 'string', default: 'x' },
        n: { type: 'string', nullable: true },
        m: { type: 'object', additionalProperties: { type: 'string' } },
        l: { type: 'array', items: { type: 'object', properties: { b: { type: 'string' } } } },
        either: { 'x-kubernetes-int-or-string': true },
        replicas: { type: 'integer' },
      },
    },
    status: { type: 'object', properties: { replicas: { type: 'integer' } } },
  },
};
const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };

const types: Readonly<Record<string, string>> = {
  json: 'application/json',
  merge: 'application/merge-patch+json',
  ops: 'application/json-patch+json',
  apply: 'application/apply-patch+yaml',
  strategic: 'application/strategic-merge-patch+json',
  yaml: 'application/yaml',
  xml: 'application/xml',
};

let crd: Any;
let uid: string;
beforeAll(async () => {
  crd = await fixture.define({
    versions: [version('v1', { schema: { openAPIV3Schema: schema }, subresources: { scale } })],
  });
  uid = (await fixture.ok('POST', pathOf(crd), instance(crd, 'x', { spec: { a: '1', replicas: 1 } }))).metadata.uid;
});

type Row = readonly [method: string, path: string, type: string, body: string | undefined, status: number, want: string];

/** Replaces AV (apiVersion) and K (kind) in bodies; also R (resource) and G (group) in responses. */
async function answerTo([method, path, type, body]: Row): Promise<[number, string]> {
  const { group, names } = crd.spec;
  const filled = body?.replaceAll('AV', `${group}/v1`).replaceAll('"K"', `"${names.kind}"`);
  const { status, json } = await fixture.send(method, pathOf(crd) + path, filled, types[type]);
  const message: string = json.message ?? '';
  const general = message
    .replaceAll(`${group}/v1`, 'AV')
    .replaceAll(names.kind, 'K')
    .replaceAll(`${names.plural}.${group}`, 'R.G')
    .replaceAll(`.${group}`, '.G')
    .replaceAll(uid, 'U')
    .replaceAll(`${group}/${names.plural}`, 'G/R');
  return [status, json.kind === 'Status' ? general : ''];
}

const rows = (table: readonly Row[]): void => {
  test.each(table)('%s %s %s %s is %i', async (...row) => {
    const [, , , , status, want] = row;
    const [got, message] = await answerTo(row);
    expect([got, message.slice(0, want.length)]).toEqual([status, want]);
    if (want === '') expect(message).toBe('');
  });
};

const dry = '/x?dryRun=All';
const applied = '/x?dryRun=All&fieldManager=t&force=true';
const noKind = `"" is invalid: patch: Invalid value: `;

describe('the kind and version', () => {
  rows([
    ['PATCH', dry, 'merge', '{"kind":null}', 422, ` ${noKind}"{\\"apiVersion\\":\\"AV\\",\\"metadata\\":{\\"creationTimestamp`],
    ['PATCH', dry, 'merge', '{"kind":""}', 422, ` ${noKind}"{\\"apiVersion\\":\\"AV\\",\\"kind\\":\\"\\",\\"metadata`],
    ['PATCH', dry, 'ops', '[{"op":"remove","path":"/kind"}]', 422, ` ${noKind}`],
    ['PATCH', dry, 'ops', '[{"op":"replace","path":"","value":{}}]', 422, ` ${noKind}"{}": Object 'Kind' is missing in '{}'`],
    ['PATCH', dry, 'merge', '{"kind":"Other"}', 422, 'Other.G "x" is invalid: kind: Invalid value: "Other": must be K'],
    ['PATCH', dry, 'merge', '{"apiVersion":null}', 500, "Internal error occurred: Object 'apiVersion' is missing in "],
    ['PATCH', dry, 'merge', '{"apiVersion":"a/b/c"}', 422, ` ${noKind}`],
    ['PATCH', applied, 'apply', '{"apiVersion":5,"kind":"K"}', 400, 'invalid object type: /, Kind=K'],
    ['PATCH', applied, 'apply', '{"apiVersion":"a/b/c","kind":"K"}', 400, 'invalid object type: /, Kind='],
    ['PATCH', applied, 'apply', '{"apiVersion":"AV","kind":5}', 400, 'invalid object type: AV, Kind='],
    ['PATCH', applied, 'apply', '{"metadata":5}', 400, 'invalid object type: /, Kind='],
    ['PUT', dry, 'json', '{"apiVersion":"AV","kind":"O","metadata":{"name":"y"}}', 400, 'the name of the object (y) does not match'],
    ['PUT', dry, 'json', '{"apiVersion":"AV","kind":"O","metadata":{"name":"x","resourceVersion":"1"}}', 409, 'Operation cannot'],
    ['POST', '', 'json', '{"apiVersion":"AV","kind":"KList","items":[]}', 422, 'KList.G "" is invalid: kind: Invalid value'],
    [
      'PUT',
      `${dry}&fieldValidation=Strict`,
      'json',
      '{"apiVersion":"AV","kind":"O","metadata":{"name":"x","u":1},"spec":{"u":1}}',
      400,
      'O in version "v1" cannot be handled as a O: strict decoding error: unknown field "metadata.u"',
    ],
    ['POST', '?fieldValidation=Ignore', 'json', '{"apiVersion":"AV"}', 400, `K in version "v1" cannot be handled as a K: Object 'Kind' is`],
    ['POST', '', 'json', '{"apiVersion":"AV"}', 400, `the object provided is unrecognized (must be of type K): Object 'Kind' is`],
    ['POST', '', 'json', '{"apiVersion":"AV","kind":"K","spec":1e400}', 400, 'K in version "v1" cannot be handled as a K: json: '],
  ]);
});

describe('metadata of an apply', () => {
  const apply = (members: string): string => `{"apiVersion":"AV","kind":"K","metadata":{"name":"x",${members}}}`;
  const untyped = 'failed to create typed patch object (/x; AV, Kind=K): .metadata.';

  rows([
    ['PATCH', applied, 'apply', apply('"creationTimestamp":"not a time"'), 200, ''],
    ['PATCH', applied, 'apply', apply('"deletionTimestamp":5'), 200, ''],
    ['PATCH', applied, 'apply', apply('"generation":1.5'), 200, ''],
    ['PATCH', applied, 'apply', apply('"deletionGracePeriodSeconds":1.5'), 200, ''],
    ['PATCH', applied, 'apply', apply('"managedFields":[]'), 400, 'metadata.managedFields must be nil'],
    ['PATCH', applied, 'apply', apply('"managedFields":5'), 500, `${untyped}managedFields: expected list, got &{5}`],
    ['PATCH', applied, 'apply', apply('"namespace":5'), 500, `${untyped}namespace: expected string, got`],
    ['PATCH', applied, 'apply', apply('"labels":{"a":5}'), 500, `${untyped}labels.a: expected string, got`],
  ]);
});

describe('null in an apply', () => {
  const apply = (spec: string): string => `{"apiVersion":"AV","kind":"K","metadata":{"name":"x"},"spec":${spec}}`;
  const refused = (path: string): string => `K.G "x" is invalid: ${path}: Invalid value: "null": ${path} in body must be of type`;
  rows([
    ['PATCH', applied, 'apply', apply('{"a":null}'), 422, refused('spec.a')],
    ['PATCH', applied, 'apply', apply('{"m":{"k":null}}'), 422, refused('spec.m.k')],
    ['PATCH', applied, 'apply', apply('{"l":[{"b":null}]}'), 422, refused('spec.l[0].b')],
    ['PATCH', applied, 'apply', apply('{"either":null}'), 422, refused('spec.either')],
    ['PATCH', applied, 'apply', apply('{"d":null,"n":null}'), 200, ''],
    [
      'PATCH',
      '/new?fieldManager=t',
      'apply',
      'apiVersion: AV\nkind: "K"\nmetadata:\n  name: new\nspec:\n',
      422,
      'K.G "new" is invalid: spec: Invalid value: "null": spec in body must be of type object: "null"',
    ],
  ]);
});

describe('the resourceVersion and uid', () => {
  const body = '{"apiVersion":"AV","kind":"K","metadata":{"name":"x","uid":"other"}}';
  const absent = '{"apiVersion":"AV","kind":"K","metadata":{"name":"made","resourceVersion":"5"}}';
  const required = 'R.G "x" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update';
  const immutable = 'K.G "x" is invalid: metadata.uid: Invalid value: "other": field is immutable';
  const precondition =
    'StorageError: invalid object, Code: 4, Key: /G/R/default/x, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: other, UID in object meta: U';
  rows([
    ['PATCH', dry, 'merge', '{"metadata":{"resourceVersion":null},"spec":5}', 422, required],
    ['PATCH', dry, 'merge', '{"metadata":{"uid":"other"}}', 422, immutable],
    ['PATCH', applied, 'apply', body, 422, immutable],
    ['PUT', dry, 'json', body, 409, `Operation cannot be fulfilled on R.G "x": ${precondition}`],
    ['PUT', '/absent?dryRun=All', 'json', body.replace('"x"', '"absent"'), 404, 'R.G "absent" not found'],
    ['PATCH', '/made?fieldManager=t', 'apply', absent, 201, ''],
  ]);

  test('a wrong uid is reported twice', async () => {
    const patch = { metadata: { uid: 'other' } };
    const { json } = await fixture.send('PATCH', `${pathOf(crd)}/x`, patch, types.merge);
    expect(json.details.causes.map((cause: Any) => cause.field)).toEqual(['metadata.uid', 'metadata.uid']);
  });
});

describe('the name in the body of a scale', () => {
  const scaleOf = (metadata: object) => JSON.stringify({ kind: 'Scale', apiVersion: 'autoscaling/v1', metadata });
  const isOther = 'the name of the object (other) does not match the name on the URL (absent)';
  const noName = 'the name of the object (absent based on URL) was undeterminable: name must be provided';
  const namespace = 'the namespace of the provided object does not match the namespace sent on the request';
  rows([
    ['PUT', '/absent/scale', 'json', scaleOf({ name: 'other' }), 400, isOther],
    ['PUT', '/absent/scale', 'json', scaleOf({}), 400, noName],
    ['PUT', '/absent/scale', 'json', scaleOf({ name: 'absent', namespace: 'other' }), 400, namespace],
    ['PUT', '/absent/scale', 'json', scaleOf({ name: 'absent' }), 404, 'R.G "absent" not found'],
    ['PATCH', '/x/scale?dryRun=All', 'merge', '{"metadata":{"name":"other"}}', 400, isOther.replace('absent', 'x')],
  ]);
});

describe('paths and media types', () => {
  rows([
    ['PUT', '', 'json', '{}', 400, 'name must be provided'],
    ['PATCH', '', 'merge', '{}', 400, 'name must be provided'],
    ['PATCH', '', 'xml', '{}', 415, 'the body of the request was in an unknown format'],
    ['POST', '/x', 'json', '{"apiVersion":"AV","kind":"K","metadata":{"name":"posted"}}', 201, ''],
    ['OPTIONS', '/x', 'json', undefined, 405, ' is not supported on resources of kind "R.G"'],
    ['GET', '/%2e%2e', 'json', undefined, 400, `Name parameter invalid: "..": may not be '..'`],
    ['GET', '/a%25b', 'json', undefined, 400, `Name parameter invalid: "a%b": may not contain '%'`],
    ['DELETE', '/%2e', 'json', undefined, 400, `Name parameter invalid: ".": may not be '.'`],
    [
      'POST',
      '',
      'xml',
      '{}',
      415,
      'the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf',
    ],
    [
      'PATCH',
      dry,
      'strategic',
      '{}',
      415,
      'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
    ],
  ]);
});

describe('patches', () => {
  rows([
    ['PATCH', `${dry}&fieldValidation=Ignore`, 'merge', '[1]', 422, ' "" is invalid: patch: Invalid value: "[1]": couldn\'t get'],
    ['PATCH', `${dry}&fieldValidation=Ignore`, 'merge', '{', 400, 'Invalid JSON Patch'],
    ['PATCH', dry, 'merge', '{', 400, 'error decoding patch: unexpected end of JSON input'],
    ['PATCH', dry, 'ops', 'null', 200, ''],
    ['PATCH', `${dry}&fieldValidation=Ignore`, 'ops', '[{"op":"add","path":5}]', 422, 'the server rejected'],
    ['PATCH', applied, 'apply', '{"apiVersion":"AV","kind":"K","metadata":"x"}', 500, 'failed to create typed patch object'],
  ]);

  test('an apply without metadata gives up the name with the metadata that its manager owned', async () => {
    const { metadata, ...config } = instance(crd, 'owned', { spec: { a: '1' } });
    const path = `${pathOf(crd)}/owned?fieldManager=t`;
    await fixture.ok('PATCH', path, { ...config, metadata: { ...metadata, labels: { a: 'b' } } }, types.apply);
    const { status, json } = await fixture.send('PATCH', path, config, types.apply);
    const message = 'the name of the object (owned based on URL) was undeterminable: name must be provided';
    expect([status, json.message]).toEqual([400, message]);
    await fixture.ok('PATCH', path, { ...config, metadata: {} }, types.apply);
    expect((await fixture.ok('PATCH', path, config, types.apply)).metadata.labels).toBeUndefined();
  });

  test('a merge patch drops null members in a new list', async () => {
    const patch = { spec: { l: [{ b: null }] } };
    const { json } = await fixture.send('PATCH', `${pathOf(crd)}${dry}`, patch, types.merge);
    expect(json.spec.l).toEqual([{}]);
  });
});

describe('options of a delete and of a list', () => {
  const badToken = 'invalid continue token: continue key is not valid: ';
  rows([
    ['DELETE', '/x', 'yaml', '{', 400, 'yaml: line 1: did not find expected node content'],
    ['DELETE', '/x', 'json', '{', 400, "couldn't get version/kind; json parse error: unexpected end of JSON input"],
    ['DELETE', '/x', 'json', '{"kind":"O","apiVersion":"v1"}', 400, 'no kind "O" is registered for version "v1" in scheme "'],
    ['GET', '?limit=1&continue=abc', 'json', undefined, 400, `${badToken}invalid character 'i' looking for beginning of value`],
    ['GET', '?limit=1&continue=WzFd', 'json', undefined, 400, `${badToken}json: cannot unmarshal array into Go value of type storage.`],
  ]);
});

test('a name that is being deleted is said to be', async () => {
  const held = instance(crd, 'held', { metadata: { name: 'held', finalizers: ['example.com/hold'] } });
  await fixture.ok('POST', pathOf(crd), held);
  await fixture.ok('DELETE', `${pathOf(crd)}/held`);
  const { status, json } = await fixture.send('POST', pathOf(crd), held);
  expect([status, json.message]).toEqual([
    409,
    `object is being deleted: ${crd.spec.names.plural}.${crd.spec.group} "held" already exists`,
  ]);
});

test('an update of the scale of a cluster-scoped resource works', async () => {
  const sketch = version('v1', { schema: { openAPIV3Schema: schema }, subresources: { scale } });
  const cluster = await fixture.define({ scope: 'Cluster', versions: [sketch] });
  await fixture.ok('POST', pathOf(cluster), instance(cluster, 'x', { spec: { replicas: 1 } }));
  const wanted = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'x' }, spec: { replicas: 3 } };
  expect((await fixture.ok('PUT', `${pathOf(cluster)}/x/scale?fieldManager=t`, wanted)).spec).toEqual({ replicas: 3 });
});
