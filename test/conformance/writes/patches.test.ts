import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { encodeCbor } from '../../../runtime/codec/cbor.ts';
import { storages } from '../../support/object-fixture.ts';
import { type patchTypes, WriteFixture, warningsOf } from '../../support/write-fixture.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const deployments = '/apis/apps/v1/namespaces/default/deployments';
const map = (name: string, data: object = {}) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data });

const deployment = (name: string) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'a', image: 'a:1' }] } },
  },
});

describe.each(storages)('patches, %s', (storage) => {
  let fixture: WriteFixture;

  beforeAll(async () => {
    fixture = await WriteFixture.open({ storage });
    await fixture.create(maps, map('m', { a: '1' }));
    await fixture.create(deployments, deployment('d'));
  });
  afterAll(() => fixture.close());

  test.each(['', 'text/plain', 'application/json', 'application/JSON-patch+json', 'application/apply-patch+cbor'])(
    'of type "%s" are rejected',
    async (type) => {
      const response = await fixture.http.send('PATCH', `${maps}/m`, '{}', type);
      expect(response.json).toMatchObject({
        code: 415,
        reason: 'UnsupportedMediaType',
        message: '415: Unsupported Media Type',
        details: {},
      });
    },
  );

  test('parameters of the type are ignored', async () => {
    const type = 'application/merge-patch+json; charset=utf-8';
    expect((await fixture.http.send('PATCH', `${maps}/m`, '{"data":{"p":"1"}}', type)).json.data.p).toBe('1');
  });

  const tooMany = JSON.stringify(Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/data/a', value: '1' })));

  test.each<[string, keyof typeof patchTypes, string, number, string | RegExp]>([
    ['invalid JSON', 'json', '[{', 400, /^error decoding patch: /],
    ['an object', 'json', '{}', 400, 'error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp'],
    [
      'operations of the wrong type',
      'json',
      '[{"op":"add","path":1}]',
      400,
      'error decoding patch: json: cannot unmarshal number into Go struct field jsonPatchOp.path of type string',
    ],
    [
      'a test that fails',
      'json',
      '[{"op":"test","path":"/data/a","value":"2"}]',
      422,
      'the server rejected our request due to an error in our request',
    ],
    [
      'an absent path',
      'json',
      '[{"op":"remove","path":"/data/none"}]',
      422,
      'the server rejected our request due to an error in our request',
    ],
    [
      'too many operations',
      'json',
      tooMany,
      413,
      'Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001',
    ],
    [
      'a result that is not an object of the kind',
      'json',
      '[{"op":"replace","path":"/data","value":7}]',
      422,
      /^ "" is invalid: patch: Invalid value: "\{\\"apiVersion\\":\\"v1\\",\\"data\\":7,.*\}": json: cannot unmarshal number into Go struct field ConfigMap.data of type map\[string\]string$/,
    ],
    ['null', 'merge', 'null', 400, 'Invalid JSON Patch'],
    ['a list', 'merge', '[]', 400, 'error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}'],
    ['invalid JSON', 'merge', '{', 400, /^error decoding patch: /],
    ['a member of the wrong type', 'merge', '{"data":{"a":1}}', 422, /^ "" is invalid: patch: Invalid value: /],
    ['a list', 'strategic', '[]', 400, 'json: cannot unmarshal array into Go value of type map[string]interface {}'],
    ['an unknown directive', 'strategic', '{"$patch":"x"}', 500, 'unknown patch type: x in map: map[$patch:x]'],
    [
      'a member of the wrong type',
      'strategic',
      '{"data":"x"}',
      422,
      ' "" is invalid: patch: Invalid value: "map[data:x]": cannot restore map from string',
    ],
    [
      'a text that is a number',
      'strategic',
      '{"data":{"a":1}}',
      422,
      ' "" is invalid: patch: Invalid value: "map[data:map[a:1]]": cannot convert int64 to string',
    ],
    ['an invalid $retainKeys', 'strategic', '{"data":{"$retainKeys":1}}', 400, 'invalid patch format of retainKeys'],
  ])('%s (%s) is rejected', async (_what, kind, body, code, message) => {
    const { json } = await fixture.patch(kind, `${maps}/m`, body);
    expect([json.code, json.message]).toEqual([code, typeof message === 'string' ? message : expect.stringMatching(message)]);
  });

  test('a copy bomb is rejected', async () => {
    await fixture.create(maps, map('bomb', { a: 'x'.repeat(200_000) }));
    const copies = Array.from({ length: 20 }, (_, i) => ({ op: 'copy', from: '/data/a', path: `/data/c${i}` }));
    expect((await fixture.patch('json', `${maps}/bomb`, copies)).status).toBe(422);
  });

  test('an absent object is NotFound before the patch is read', async () => {
    const response = await fixture.patch('merge', `${maps}/none`, '{');
    expect([response.status, response.json.message]).toEqual([404, 'configmaps "none" not found']);
  });

  describe('field validation', () => {
    const unknown = { spec: { replicas: 2, nope: 1, template: { spec: { surprise: true } } } };
    const problems = ['unknown field "spec.nope"', 'unknown field "spec.template.spec.surprise"'];

    test.each<[keyof typeof patchTypes, unknown, string[]]>([
      ['merge', unknown, problems],
      ['strategic', unknown, problems],
      [
        'json',
        '[{"op":"add","path":"/spec/nope","value":1,"why":1,"op":"add"}]',
        ['json patch duplicate field "[0].op"', 'json patch unknown field "[0].why"', 'unknown field "spec.nope"'],
      ],
      ['merge', '{"spec":{"replicas":1,"replicas":2}}', ['duplicate field "spec.replicas"']],
      ['strategic', '{"spec":{"replicas":1,"replicas":2}}', ['duplicate field "spec.replicas"']],
    ])('%s %j warns of them, rejects or ignores them', async (kind, body, problems) => {
      const path = `${deployments}/d?dryRun=All`;
      const warned = await fixture.patch(kind, path, body);
      expect([warned.status, warningsOf(warned).sort()]).toEqual([200, [...problems].sort()]);
      const strict = await fixture.patch(kind, `${path}&fieldValidation=Strict`, body);
      expect(strict.status).toBe(422);
      expect(strict.json.reason).toBe('Invalid');
      expect(strict.json.details.causes).toEqual([
        expect.objectContaining({
          reason: 'FieldValueInvalid',
          field: 'patch',
          message: expect.stringContaining('strict decoding error: '),
        }),
      ]);
      for (const problem of problems) expect(strict.json.message).toContain(problem);
      const ignored = await fixture.patch(kind, `${path}&fieldValidation=Ignore`, body);
      expect([ignored.status, warningsOf(ignored)]).toEqual([200, []]);
    });

    test('an invalid strategic patch is shown as Go prints it', async () => {
      const { json } = await fixture.patch('strategic', `${deployments}/d?fieldValidation=Strict`, {
        spec: { nope: 1 },
      });
      expect(json.message).toBe(
        ' "" is invalid: patch: Invalid value: "map[spec:map[nope:1]]": strict decoding error: unknown field "spec.nope"',
      );
    });

    test('apply reports duplicate keys with their lines', async () => {
      const yaml = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: twice\ndata:\n  a: "1"\n  a: "2"\n';
      const path = `${maps}/twice?fieldManager=f`;
      expect(warningsOf(await fixture.patch('apply', path, yaml))).toEqual(['line 7: key "a" already set in map']);
      const strict = await fixture.patch('apply', `${path}&fieldValidation=Strict`, yaml);
      expect([strict.status, strict.json.message]).toEqual([
        400,
        'error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n  line 7: key "a" already set in map',
      ]);
    });
  });

  test('duplicate owner references are dropped, with a warning', async () => {
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'm', uid: 'u-1' };
    const twice = { ...map('owned'), metadata: { name: 'owned', ownerReferences: [owner, owner] } };
    const warning =
      '.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: u-1';
    const made = await fixture.create(`${maps}?dryRun=All`, twice);
    expect([made.json.metadata.ownerReferences, warningsOf(made)]).toEqual([[owner], [warning]]);
    await fixture.create(maps, map('owned'));
    expect(warningsOf(await fixture.put(`${maps}/owned?dryRun=All`, twice))).toEqual([warning]);
    const patched = await fixture.patch('merge', `${maps}/owned?dryRun=All`, { metadata: twice.metadata });
    expect([patched.json.metadata.ownerReferences, warningsOf(patched)]).toEqual([
      [owner],
      [warning.replace('; API', ' after mutating admission happens; API').replace('; please fix your requests', '')],
    ]);
  });

  test('100 concurrent patches of one object all succeed', async () => {
    await fixture.create(maps, map('busy'));
    const kinds = ['json', 'merge', 'strategic', 'apply'] as const;
    const bodies = {
      json: (i: number) => [{ op: 'add', path: `/data/k${i}`, value: 'v' }],
      merge: (i: number) => ({ data: { [`k${i}`]: 'v' } }),
      strategic: (i: number) => ({ data: { [`k${i}`]: 'v' } }),
      apply: (i: number) => map('busy', { [`k${i}`]: 'v' }),
    };
    await fixture.patch('merge', `${maps}/busy`, { data: { first: 'v' } });
    const responses = await Promise.all(
      [...Array(100).keys()].map((i) => {
        const kind = kinds[i % 4];
        return fixture.patch(kind, `${maps}/busy?fieldManager=m${i}`, bodies[kind](i));
      }),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array(100).fill(200));
    expect(Object.keys((await fixture.get(`${maps}/busy`)).json.data)).toHaveLength(101);
  });
});

describe('with the gate CBORServingAndStorage', () => {
  let fixture: WriteFixture;

  beforeAll(async () => {
    fixture = await WriteFixture.open({ featureGates: ['CBORServingAndStorage=true'] });
  });
  afterAll(() => fixture.close());

  test('apply accepts CBOR', async () => {
    const body = encodeCbor(map('cbor', { a: '1' }));
    const type = 'application/apply-patch+cbor';
    const made = await fixture.http.send('PATCH', `${maps}/cbor?fieldManager=c`, body, type);
    expect([made.status, made.json.data, made.json.metadata.managedFields[0].operation]).toEqual([201, { a: '1' }, 'Apply']);
    const bad = await fixture.http.send('PATCH', `${maps}/cbor?fieldManager=c`, new Uint8Array([0xff]), type);
    expect([bad.status, bad.json.message]).toEqual([400, expect.stringMatching(/^error decoding YAML: /)]);
  });
});
