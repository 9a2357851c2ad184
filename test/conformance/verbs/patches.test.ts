import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { encodeCbor } from '../../../runtime/codec/cbor.ts';
import { ownersOf, warningsOf } from '../../support/write-fixture.ts';
import { everySubject } from './subjects.ts';
import { testOf, VerbFixture } from './verb-fixture.ts';

describe.each(everySubject(['memory', 'memory, by worker threads']))('patching %s, %s', (_title, storage, subject) => {
  let fixture: VerbFixture;

  beforeAll(async () => {
    fixture = await VerbFixture.open(subject, storage);
  });
  afterAll(() => fixture.close());

  const pointer = (path: string): string => `/${fixture.pathOf(path).replaceAll('.', '/')}`;

  describe('a JSON patch', () => {
    test('tests, adds, replaces, copies, moves and removes', async () => {
      await fixture.made('json', { text: 'one', 'metadata.labels': { a: '1' } });
      const { status, json } = await fixture.patch('json', 'json', [
        { op: 'test', path: pointer('text'), value: 'one' },
        { op: 'replace', path: pointer('count'), value: 3 },
        { op: 'copy', from: '/metadata/labels/a', path: '/metadata/labels/b' },
        { op: 'move', from: '/metadata/labels/a', path: '/metadata/labels/c' },
        { op: 'add', path: '/metadata/annotations', value: { x: 'y' } },
        { op: 'remove', path: pointer('text') },
      ]);
      expect(status).toBe(200);
      expect(json.metadata).toMatchObject({ labels: { b: '1', c: '1' }, annotations: { x: 'y' }, generation: 2 });
      expect([fixture.at(json, 'count'), fixture.at(json, 'text')]).toEqual([3, undefined]);
    });

    test('with a failing test is Invalid and changes nothing', async () => {
      const made = await fixture.made('tested');
      const { json } = await fixture.patch('json', 'tested', [
        { op: 'replace', path: pointer('count'), value: 3 },
        { op: 'test', path: pointer('count'), value: 4 },
      ]);
      expect(json).toMatchObject({ code: 422, reason: 'Invalid' });
      expect((await fixture.get('tested')).json).toEqual(made);
    });

    test('that is malformed is a BadRequest', async () => {
      await fixture.made('malformed');
      expect((await fixture.patch('json', 'malformed', { op: 'add' })).json).toMatchObject({
        code: 400,
        reason: 'BadRequest',
      });
    });
  });

  describe('a merge patch', () => {
    test('sets members, and deletes those that are null', async () => {
      await fixture.made('merged', { text: 'one', 'metadata.labels': { a: '1', b: '2' } });
      const patch = fixture.with({ metadata: { labels: { a: null, c: '3' } } }, { count: 2, text: null });
      const { status, json } = await fixture.patch('merge', 'merged', patch);
      expect([status, json.metadata.labels]).toEqual([200, { b: '2', c: '3' }]);
      expect([fixture.at(json, 'count'), fixture.at(json, 'text')]).toEqual([2, undefined]);
    });

    test('replaces whole lists', async () => {
      await fixture.made('lists');
      const conditions = (...types: string[]) => ({
        status: {
          conditions: types.map((type) => ({
            type,
            status: 'True',
            reason: 'R',
            message: '',
            lastTransitionTime: '2026-01-01T00:00:00Z',
          })),
        },
      });
      await fixture.patch('merge', 'lists/status', conditions('A', 'B'));
      const { json } = await fixture.patch('merge', 'lists/status', conditions('C'));
      expect(json.status.conditions.map(({ type }: { type: string }) => type)).toEqual(['C']);
    });

    test('that changes nothing writes nothing', async () => {
      const made = await fixture.made('noop');
      const { status, json } = await fixture.patch('merge', 'noop', fixture.with({}, { count: 1 }));
      expect([status, json]).toEqual([200, made]);
    });

    test('with null for a field with a default sets the default', async () => {
      await fixture.made('defaulted', { count: 5 });
      const { json } = await fixture.patch('merge', 'defaulted', fixture.with({}, { count: null }));
      expect(fixture.at(json, 'count')).toBe(1);
    });

    test('with another resourceVersion is a Conflict', async () => {
      const made = await fixture.made('pinned');
      const { resourceVersion } = made.metadata;
      const patch = (version: string, count: number) => fixture.with({ metadata: { resourceVersion: version } }, { count });
      expect((await fixture.patch('merge', 'pinned', patch(resourceVersion, 2))).status).toBe(200);
      expect((await fixture.patch('merge', 'pinned', patch(resourceVersion, 3))).json).toMatchObject({
        code: 409,
        reason: 'Conflict',
      });
    });

    test('of an absent object is NotFound', async () => {
      expect((await fixture.patch('merge', 'absent', {})).json).toMatchObject({
        code: 404,
        message: `${fixture.groupResource} "absent" not found`,
      });
    });

    test('with an invalid value or name is rejected with its field', async () => {
      await fixture.made('judged');
      const negative = await fixture.patch('merge', 'judged', fixture.with({}, { count: -1 }));
      expect([negative.status, negative.json.details.causes[0].field]).toEqual([422, subject.count]);
      const renamed = await fixture.patch('merge', 'judged', { metadata: { name: 'other' } });
      expect([renamed.json.code, renamed.json.reason]).toEqual([400, 'BadRequest']);
    });

    test('with unknown fields warns, or is rejected in strict mode', async () => {
      await fixture.made('strange');
      const patch = fixture.with({ spec: { bogus: 1 } }, { count: 2 });
      const warned = await fixture.patch('merge', 'strange', patch);
      expect([warned.status, warningsOf(warned)]).toEqual([200, ['unknown field "spec.bogus"']]);
      const strict = await fixture.patch('merge', 'strange', patch, { fieldValidation: 'Strict' });
      expect([strict.json.code, strict.json.message]).toEqual([422, expect.stringContaining('unknown field "spec.bogus"')]);
    });

    test('concurrently 100 times succeeds each time', async () => {
      await fixture.made('busy');
      const all = Array.from({ length: 100 }, (_, n) => fixture.patch('merge', 'busy', { metadata: { labels: { [`l${n}`]: 'x' } } }));
      expect((await Promise.all(all)).filter(({ status }) => status !== 200)).toEqual([]);
      expect(Object.keys((await fixture.get('busy')).json.metadata.labels)).toHaveLength(100);
    });
  });

  testOf(subject, 'strategic merge patch')('a strategic merge patch merges lists by their keys', async () => {
    await fixture.made('strategic');
    const condition = (type: string, status: string) => ({
      type,
      status,
      reason: 'R',
      message: '',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    });
    await fixture.patch('merge', 'strategic/status', {
      status: { conditions: [condition('A', 'True'), condition('B', 'True')] },
    });
    const { status, json } = await fixture.patch('strategic', 'strategic/status', {
      status: {
        conditions: [
          { type: 'B', status: 'False' },
          { type: 'A', $patch: 'delete' },
        ],
      },
    });
    expect([status, json.status.conditions]).toEqual([200, [expect.objectContaining({ type: 'B', status: 'False', reason: 'R' })]]);
  });

  test('another media type is rejected, for custom resources with the supported ones', async () => {
    await fixture.made('types');
    const strategic = subject.lacks['strategic merge patch'] === undefined;
    const accepted =
      'application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml, application/apply-patch+cbor';
    const wrong = ['application/json', ...(strategic ? [] : ['application/strategic-merge-patch+json'])];
    for (const type of wrong) {
      expect((await fixture.send('PATCH', `${fixture.path}/types`, {}, type)).json).toMatchObject({
        code: 415,
        reason: 'UnsupportedMediaType',
        message: strategic ? '415: Unsupported Media Type' : expect.stringContaining(accepted),
      });
    }
  });

  describe('server-side apply', () => {
    test('creates an absent object and owns the applied fields, not the defaults', async () => {
      const { status, json } = await fixture.apply('one', fixture.object('applied', { text: 'a' }));
      expect([status, ownersOf(json), fixture.at(json, 'count')]).toEqual([201, ['one Apply'], 1]);
      const owned = JSON.stringify(json.metadata.managedFields[0].fieldsV1);
      expect(owned).toContain(`"f:${subject.text.split('.').at(-1)}":{}`);
      expect(owned).not.toContain(`"f:${subject.count.split('.').at(-1)}"`);
    });

    test('may set the deletion of the object that it creates, as a create may not', async () => {
      const object = fixture.object('doomed', {
        'metadata.deletionTimestamp': '2030-01-01T00:00:00Z',
        'metadata.deletionGracePeriodSeconds': 5,
      });
      const { deletionTimestamp, deletionGracePeriodSeconds } = object.metadata;
      expect((await fixture.create(object, { dryRun: 'All' })).json.metadata).not.toHaveProperty('deletionTimestamp');
      expect((await fixture.apply('one', object)).status).toBe(201);
      expect((await fixture.get('doomed')).json.metadata).toMatchObject({
        deletionTimestamp,
        deletionGracePeriodSeconds,
      });
    });

    test('writes nothing the second time', async () => {
      const first = await fixture.apply('one', fixture.object('again', { text: 'a' }));
      const second = await fixture.apply('one', fixture.object('again', { text: 'a' }));
      expect([second.status, second.json]).toEqual([200, first.json]);
    });

    test('conflicts by field, can be forced, and releases fields', async () => {
      await fixture.apply('one', fixture.object('fought', { count: 2, text: 'a' }));
      const { json } = await fixture.apply('two', fixture.part('fought', { count: 3 }));
      expect(json).toMatchObject({
        code: 409,
        reason: 'Conflict',
        message: `Apply failed with 1 conflict: conflict with "one": .${subject.count}`,
        details: {
          causes: [{ reason: 'FieldManagerConflict', field: `.${subject.count}`, message: 'conflict with "one"' }],
        },
      });
      const forced = await fixture.apply('two', fixture.part('fought', { count: 3 }), { force: 'true' });
      expect([forced.status, fixture.at(forced.json, 'count'), ownersOf(forced.json)]).toEqual([200, 3, ['one Apply', 'two Apply']]);
      // fields that are no longer applied are removed, or get their default
      const left = await fixture.apply('two', fixture.part('fought'));
      expect([fixture.at(left.json, 'count'), fixture.at(left.json, 'text'), ownersOf(left.json)]).toEqual([1, 'a', ['one Apply']]);
    });

    test('with the same value shares the field', async () => {
      await fixture.apply('one', fixture.object('shared', { text: 'a' }));
      await fixture.apply('two', fixture.part('shared', { text: 'a' }));
      const one = await fixture.apply('one', fixture.object('shared'));
      expect([fixture.at(one.json, 'text'), ownersOf(one.json)]).toEqual(['a', expect.arrayContaining(['two Apply'])]);
    });

    test('merges lists by their keys, each with its items', async () => {
      await fixture.made('items');
      const condition = (type: string) => ({
        type,
        status: 'True',
        reason: 'R',
        message: '',
        lastTransitionTime: '2026-01-01T00:00:00Z',
      });
      const by = (manager: string, ...types: string[]) =>
        fixture.send(
          'PATCH',
          `${fixture.path}/items/status?fieldManager=${manager}`,
          { ...fixture.part('items'), status: { conditions: types.map(condition) } },
          'application/apply-patch+yaml',
        );
      const typesOf = ({ json }: Awaited<ReturnType<typeof by>>): string[] =>
        json.status.conditions.map(({ type }: { type: string }) => type);
      await by('one', 'A', 'B');
      expect(typesOf(await by('two', 'C'))).toEqual(['A', 'B', 'C']);
      const less = await by('one', 'B');
      expect([typesOf(less), ownersOf(less.json)]).toEqual([['B', 'C'], expect.arrayContaining(['one Apply status', 'two Apply status'])]);
    });

    test('accepts YAML and CBOR', async () => {
      const yaml = `apiVersion: ${fixture.apiVersion}\nkind: ${subject.kind}\nmetadata: {name: formed}\nspec: ${JSON.stringify(fixture.object('formed').spec)}\n`;
      const path = `${fixture.path}/formed?fieldManager=one`;
      expect((await fixture.send('PATCH', path, yaml, 'application/apply-patch+yaml')).status).toBe(201);
      const body = encodeCbor(fixture.object('formed', { text: 'cbor' }));
      const cbor = await fixture.send('PATCH', path, body, 'application/apply-patch+cbor');
      expect([cbor.status, fixture.at(cbor.json, 'text')]).toEqual([200, 'cbor']);
    });

    test.each([
      ['without a manager', {}, {}, 422, 'fieldManager: Required value: is required for apply patch'],
      [
        'with managedFields',
        { 'metadata.managedFields': [{ manager: 'x' }] },
        { fieldManager: 'one' },
        400,
        'metadata.managedFields must be nil',
      ],
      ['of another kind', { kind: 'Stranger' }, { fieldManager: 'one' }, 400, 'Stranger'],
      ['of unknown fields', { 'spec.bogus': 1 }, { fieldManager: 'one', fieldValidation: 'Strict' }, 500, 'spec.bogus'],
    ])('%s is rejected', async (_how, fields, query, code, message) => {
      const { json } = await fixture.patch('apply', 'rejected', fixture.object('rejected', fields), query);
      expect([json.code, json.message]).toEqual([code, expect.stringContaining(message)]);
      expect((await fixture.get('rejected')).status).toBe(404);
    });
  });
});
