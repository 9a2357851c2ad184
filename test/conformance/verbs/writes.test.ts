import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { engines } from '../../support/store-place.ts';
import { ownersOf, warningsOf } from '../../support/write-fixture.ts';
import { type Any, everySubject } from './subjects.ts';
import { testOf, VerbFixture } from './verb-fixture.ts';

describe.each(everySubject([...engines, 'memory, by worker threads']))('writing %s, %s', (_title, storage, subject) => {
  let fixture: VerbFixture;

  beforeAll(async () => {
    fixture = await VerbFixture.open(subject, storage);
  });
  afterAll(() => fixture.close());

  describe('create', () => {
    test('returns the object with metadata and defaults, and without the status of the request', async () => {
      const { status, json } = await fixture.create(fixture.object('made', { current: 7, text: 'here' }));
      expect(status).toBe(201);
      expect(json).toMatchObject({ apiVersion: fixture.apiVersion, kind: subject.kind });
      expect(json.metadata).toMatchObject({ name: 'made', namespace: fixture.namespace, generation: 1 });
      expect(json.metadata.uid).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
      expect(json.metadata.creationTimestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      expect(json.metadata.selfLink).toBeUndefined();
      expect([fixture.at(json, 'count'), fixture.at(json, 'text'), fixture.at(json, 'current')]).toEqual([1, 'here', undefined]);
      expect((await fixture.get('made')).json).toEqual(json);
    });

    test('with a name that is taken is AlreadyExists', async () => {
      await fixture.made('taken');
      expect((await fixture.create(fixture.object('taken'))).json).toMatchObject({
        code: 409,
        reason: 'AlreadyExists',
        message: `${fixture.groupResource} "taken" already exists`,
        details: { name: 'taken', group: subject.group, kind: subject.resource },
      });
    });

    test('generates a name from generateName', async () => {
      const object = fixture.object('');
      object.metadata = { generateName: 'gen-' };
      const [one, other] = await Promise.all([fixture.create(object), fixture.create(object)]);
      expect([one.status, other.status]).toEqual([201, 201]);
      for (const { json } of [one, other]) {
        expect(json.metadata.generateName).toBe('gen-');
        expect(json.metadata.name).toMatch(/^gen-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
      }
      expect(one.json.metadata.name).not.toBe(other.json.metadata.name);
    });

    test('needs a valid name', async () => {
      const nameless = fixture.object('');
      nameless.metadata = {};
      expect((await fixture.create(nameless)).json).toMatchObject({
        code: 422,
        message: expect.stringContaining('metadata.name: Required value: name or generateName is required'),
      });
      expect((await fixture.create(fixture.object('Not_Valid'))).json).toMatchObject({
        code: 422,
        reason: 'Invalid',
        message: expect.stringContaining(`${fixture.groupKind} "Not_Valid" is invalid: `),
        details: { causes: expect.arrayContaining([expect.objectContaining({ field: 'metadata.name' })]) },
      });
    });

    test('in another namespace than that of the path is rejected', async () => {
      const { json } = await fixture.create(fixture.object('elsewhere', { 'metadata.namespace': 'other' }));
      expect([json.code, json.message]).toEqual([
        400,
        'the namespace of the provided object does not match the namespace sent on the request',
      ]);
    });

    test('in an absent namespace is NotFound', async () => {
      const path = fixture.path.replace(fixture.namespace, 'absent');
      expect((await fixture.send('POST', path, fixture.object('x'))).json).toMatchObject({
        code: 404,
        message: 'namespaces "absent" not found',
      });
    });

    test('of another kind is rejected', async () => {
      const { json } = await fixture.create({ ...fixture.object('x'), kind: 'Stranger' });
      expect(json.code).toBe(subject.wrongKind.code);
      expect(json.message).toMatch(subject.wrongKind.message);
    });

    test.each(['0', '00', 'abc', '-1', '18446744073709551616'])(
      'with resourceVersion %s, which counts as unset, creates the object',
      async (resourceVersion) => {
        const name = `unversioned-${resourceVersion.replaceAll(/[^a-z0-9]/g, 'x')}`;
        const { status, json } = await fixture.create(fixture.object(name, { 'metadata.resourceVersion': resourceVersion }));
        expect([status, json.metadata.resourceVersion]).toEqual([201, expect.stringMatching(/^[1-9][0-9]*$/)]);
        expect(json.metadata.resourceVersion).not.toBe(resourceVersion);
      },
    );

    test('with a resourceVersion is rejected', async () => {
      const { json } = await fixture.create(fixture.object('versioned', { 'metadata.resourceVersion': '1' }));
      expect(json.message).toContain('resourceVersion should not be set on objects to be created');
    });

    test('with a resourceVersion succeeds as a dry run, which does not reach the storage', async () => {
      const object = fixture.object('versioned-dry', { 'metadata.resourceVersion': '1' });
      expect((await fixture.create(object, { dryRun: 'All' })).status).toBe(201);
    });

    test('with a value of the wrong type is rejected with its path', async () => {
      const { status, json } = await fixture.create(fixture.object('wrong', { count: 'many' }));
      expect(status).toBe(subject.wrongType.code);
      expect(json.message).toMatch(subject.wrongType.message);
    });

    test('with an invalid value is rejected with a cause that names its field', async () => {
      const { json } = await fixture.create(fixture.object('negative', { count: -1 }));
      expect(json).toMatchObject({
        code: 422,
        reason: 'Invalid',
        details: { name: 'negative', group: subject.group, kind: subject.kind },
      });
      expect(json.details.causes[0]).toMatchObject({ reason: 'FieldValueInvalid', field: subject.count });
    });
  });

  describe('update', () => {
    test('replaces the spec, increments the generation, and leaves the status', async () => {
      const made = await fixture.made('updated');
      await fixture.patch('merge', 'updated/status', fixture.with({}, { current: 1 }));
      const now = (await fixture.get('updated')).json;
      const put = await fixture.put('updated', fixture.with(now, { count: 3, current: 9 }));
      expect(put.status).toBe(200);
      expect([fixture.at(put.json, 'count'), fixture.at(put.json, 'current')]).toEqual([3, 1]);
      expect(put.json.metadata.generation).toBe(2);
      expect(put.json.metadata.uid).toBe(made.metadata.uid);
      expect(Number(put.json.metadata.resourceVersion)).toBeGreaterThan(Number(made.metadata.resourceVersion));
    });

    test('of labels does not change the generation', async () => {
      const made = await fixture.made('labelled');
      const put = await fixture.put('labelled', fixture.with(made, { 'metadata.labels': { a: 'b' } }));
      expect(put.json.metadata).toMatchObject({ labels: { a: 'b' }, generation: 1 });
    });

    test('that changes nothing writes nothing', async () => {
      const made = await fixture.made('same');
      const put = await fixture.put('same', made);
      expect([put.status, put.json]).toEqual([200, made]);
    });

    test('with a stale resourceVersion is a Conflict', async () => {
      const made = await fixture.made('stale');
      await fixture.put('stale', fixture.with(structuredClone(made), { count: 2 }));
      expect((await fixture.put('stale', fixture.with(made, { count: 3 }))).json).toMatchObject({
        code: 409,
        reason: 'Conflict',
        message: `Operation cannot be fulfilled on ${fixture.groupResource} "stale": the object has been modified; please apply your changes to the latest version and try again`,
        details: { name: 'stale', group: subject.group, kind: subject.resource },
      });
      expect(fixture.at((await fixture.get('stale')).json, 'count')).toBe(2);
    });

    test('with another uid is a Conflict', async () => {
      const made = await fixture.made('other-uid');
      const { json } = await fixture.put('other-uid', fixture.with(made, { 'metadata.uid': 'other' }));
      expect([json.code, json.reason]).toEqual([409, 'Conflict']);
      expect(json.message).toContain('Precondition failed: UID in precondition: other, UID in object meta: ');
    });

    test('of an absent object is NotFound', async () => {
      expect((await fixture.put('absent', fixture.object('absent'))).json).toMatchObject({
        code: 404,
        message: `${fixture.groupResource} "absent" not found`,
      });
    });

    test('with another name than that of the path is rejected', async () => {
      const made = await fixture.made('path-name');
      const { json } = await fixture.put('path-name', fixture.with(made, { 'metadata.name': 'body-name' }));
      expect([json.code, json.message]).toEqual([400, 'the name of the object (body-name) does not match the name on the URL (path-name)']);
    });

    test('cannot change metadata that the server sets', async () => {
      const made = await fixture.made('kept');
      const put = await fixture.put(
        'kept',
        fixture.with(structuredClone(made), {
          'metadata.creationTimestamp': '2001-01-01T00:00:00Z',
          'metadata.generation': 9,
          'metadata.selfLink': '/x',
        }),
      );
      expect(put.json.metadata).toEqual(made.metadata);
    });

    testOf(subject, 'unconditional updates')('without a resourceVersion replaces any version', async () => {
      await fixture.made('whatever');
      const put = await fixture.put('whatever', fixture.object('whatever', { count: 5 }));
      expect([put.status, fixture.at(put.json, 'count')]).toEqual([200, 5]);
    });

    if (subject.lacks['unconditional updates'] !== undefined) {
      test('without a resourceVersion is rejected', async () => {
        await fixture.made('conditional');
        expect((await fixture.put('conditional', fixture.object('conditional'))).json.message).toContain(
          'metadata.resourceVersion: Invalid value: 0: must be specified for an update',
        );
      });
    }
  });

  describe('a dry run', () => {
    test('returns what would be stored, and stores nothing', async () => {
      const before = fixture.fixture.server.revision();
      const made = await fixture.create(fixture.object('dry'), { dryRun: 'All' });
      expect([made.status, fixture.at(made.json, 'count'), made.json.metadata.generation]).toEqual([201, 1, 1]);
      expect(fixture.fixture.server.revision()).toBe(before);
      expect((await fixture.get('dry')).status).toBe(404);
    });

    test('of an update and of each patch does not change the object', async () => {
      const made = await fixture.made('dried');
      const wanted = fixture.with(structuredClone(made), { count: 4 });
      const pointer = `/${subject.count.replaceAll('.', '/')}`;
      const all = [
        await fixture.put('dried', wanted, { dryRun: 'All' }),
        await fixture.patch('merge', 'dried', fixture.with({}, { count: 4 }), { dryRun: 'All' }),
        await fixture.patch('json', 'dried', [{ op: 'replace', path: pointer, value: 4 }], { dryRun: 'All' }),
        await fixture.apply('m', fixture.part('dried', { count: 4 }), { dryRun: 'All', force: 'true' }),
      ];
      for (const { status, json } of all) expect([status, fixture.at(json, 'count')]).toEqual([200, 4]);
      expect((await fixture.get('dried')).json).toEqual(made);
    });

    test('is as strict as a real write', async () => {
      await fixture.made('strict');
      const rejected = [
        await fixture.create(fixture.object('strict'), { dryRun: 'All' }),
        await fixture.create(fixture.object('bad', { count: -1 }), { dryRun: 'All' }),
        await fixture.remove('absent', undefined, { dryRun: 'All' }),
        await fixture.create(fixture.object('some'), { dryRun: 'Some' }),
      ];
      expect(rejected.map(({ json }) => json.reason)).toEqual(['AlreadyExists', 'Invalid', 'NotFound', 'Invalid']);
    });
  });

  describe('field validation', () => {
    const twice = (name: string): string => {
      const [last] = subject.count.split('.').slice(-1);
      const text = JSON.stringify(fixture.object(name, { count: 2, 'spec.bogus': 1 }));
      return text.replace(`"${last}":2`, `"${last}":1,"${last}":2`);
    };
    const problems = [`duplicate field "${subject.count}"`, 'unknown field "spec.bogus"'];

    test.each(['Warn', ''])('%s: warns of unknown and duplicate fields', async (fieldValidation) => {
      const query: Record<string, string> = fieldValidation === '' ? {} : { fieldValidation };
      const response = await fixture.send(
        'POST',
        `${fixture.path}?${new URLSearchParams(query)}`,
        twice(`warned${fieldValidation.toLowerCase()}`),
      );
      expect([response.status, fixture.at(response.json, 'count')]).toEqual([201, 2]);
      expect(response.json.spec.bogus).toBeUndefined();
      expect(warningsOf(response).sort()).toEqual(problems);
    });

    test('Strict: rejects them, and lists them all', async () => {
      const response = await fixture.create(twice('strictly'), { fieldValidation: 'Strict' });
      expect(response.status).toBe(400);
      for (const problem of problems) expect(response.json.message).toContain(problem);
    });

    test('Ignore: accepts them', async () => {
      const response = await fixture.create(twice('ignored'), { fieldValidation: 'Ignore' });
      expect([response.status, warningsOf(response)]).toEqual([201, []]);
    });

    test('of unknown metadata, also in an update', async () => {
      const made = await fixture.made('meta');
      const put = await fixture.put('meta', fixture.with(made, { 'metadata.bogus': 1 }), { fieldValidation: 'Strict' });
      expect([put.status, put.json.message]).toEqual([400, expect.stringContaining('unknown field "metadata.bogus"')]);
    });

    test('another directive is rejected', async () => {
      expect((await fixture.create(fixture.object('x'), { fieldValidation: 'Maybe' })).json).toMatchObject({
        code: 422,
        message: expect.stringContaining('fieldValidation: Unsupported value: "Maybe"'),
      });
    });
  });

  describe('managedFields', () => {
    test('record who wrote which fields, and the operation', async () => {
      const made = await fixture.made('owned', { text: 'a' }, { fieldManager: 'maker' });
      expect(ownersOf(made)).toEqual(['maker Update']);
      const [entry] = made.metadata.managedFields;
      expect(entry).toMatchObject({ apiVersion: fixture.apiVersion, fieldsType: 'FieldsV1' });
      expect(pathsOf(entry.fieldsV1)).toContain(subject.text);
      await fixture.put('owned', fixture.with(structuredClone(made), { text: 'b' }), { fieldManager: 'changer' });
      await fixture.patch('merge', 'owned/status', fixture.with({}, { current: 1 }), { fieldManager: 'reporter' });
      const now = (await fixture.get('owned')).json;
      expect(ownersOf(now).sort()).toEqual(['changer Update', 'maker Update', 'reporter Update status']);
      const owns = Object.fromEntries(now.metadata.managedFields.map((one: Any) => [one.manager, pathsOf(one.fieldsV1)]));
      expect(owns.changer).toEqual([subject.text]);
      expect(owns.maker).not.toContain(subject.text);
      expect(owns.reporter).toEqual([subject.current]);
    });

    test('use the User-Agent without a fieldManager, and can be cleared', async () => {
      const response = await fixture.fixture.client.send(
        'POST',
        fixture.path,
        JSON.stringify(fixture.object('agent')),
        'application/json',
        {
          headers: { 'user-agent': 'agent/1.0 (x)' },
        },
      );
      expect(ownersOf(response.json)).toEqual(['agent Update']);
      const cleared = await fixture.patch('merge', 'agent', { metadata: { managedFields: [{}] } });
      expect([cleared.status, cleared.json.metadata.managedFields]).toEqual([200, undefined]);
    });
  });

  test('finalizers without a domain are rejected, warned of or accepted, as upstream does for such a kind', async () => {
    const response = await fixture.create(fixture.object('finalized', { 'metadata.finalizers': ['mine'] }));
    expect([response.json.message ?? response.status, warningsOf(response)]).toEqual(subject.looseFinalizer);
  });
});

/** Returns the leaf fields of a FieldsV1 as dotted paths. */
function pathsOf(fields: Any, before = ''): string[] {
  return Object.entries(fields).flatMap(([key, below]) => {
    if (!key.startsWith('f:')) return [];
    const path = before === '' ? key.slice(2) : `${before}.${key.slice(2)}`;
    return Object.keys(below as object).length === 0 ? [path] : pathsOf(below, path);
  });
}
