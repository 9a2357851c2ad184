import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Any, DefinitionFixture, definition, definitions, instance, openSchema, pathOf, version } from './definition-fixture.ts';

/** The validity of a write depends on the old object: transition rules, ratcheting, stored versions. */

const fixture = DefinitionFixture.forSuite();

const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const schemaOf = (spec: object, root: object = {}): object => ({
  schema: { openAPIV3Schema: { type: 'object', properties: { spec, status: open }, ...root } },
  subresources: { status: {} },
});
const withSpec = (spec: object, root: object = {}): Promise<Any> => fixture.define({ versions: [version('v1', schemaOf(spec, root))] });
const create = (crd: Any, name: string, spec: object) => fixture.send('POST', pathOf(crd), instance(crd, name, { spec }));
const patch = (crd: Any, name: string, spec: object) =>
  fixture.send('PATCH', `${pathOf(crd)}/${name}`, { spec }, 'application/merge-patch+json');
const change = (crd: Any, versions: object[]) =>
  fixture.send('PATCH', `${definitions}/${crd.metadata.name}`, { spec: { versions } }, 'application/merge-patch+json');
/** `spec.n: Invalid value: 1: why`; "" for a success. */
const why = ({ status, json }: Any): string => (status < 300 ? '' : json.message.replace(/^.* is invalid: /, ''));

const integer = { type: 'integer' };
const text = { type: 'string', maxLength: 20 };
const rules = (...all: object[]): object => ({ 'x-kubernetes-validations': all });
const keyed = (value: object): object => ({
  type: 'array',
  maxItems: 5,
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['key'],
  items: { type: 'object', required: ['key'], properties: { key: text, value } },
});

describe('transition rules', () => {
  let crd: Any;
  beforeAll(async () => {
    crd = await withSpec(
      {
        type: 'object',
        properties: {
          n: integer,
          fixed: { ...text, ...rules({ rule: 'self == oldSelf', message: 'is fixed' }) },
          grows: {
            ...integer,
            ...rules({
              rule: 'oldSelf.hasValue() ? self >= oldSelf.value() : self == 1',
              optionalOldSelf: true,
              message: 'only grows',
            }),
          },
          list: keyed({ ...integer, ...rules({ rule: 'self >= oldSelf', message: 'only grows' }) }),
          map: {
            type: 'object',
            maxProperties: 5,
            additionalProperties: { ...text, ...rules({ rule: "self != 'bad'", reason: 'FieldValueDuplicate' }) },
          },
          'x-y': integer,
        },
        ...rules(
          { rule: '!has(self.x__dash__y) || self.x__dash__y > 0', fieldPath: '.x-y', message: 'is more than nothing' },
          { rule: '1 / (has(self.n) ? self.n : 1) >= 0' },
        ),
      },
      rules(
        { rule: "self.metadata.name.startsWith('a')", message: 'begins with a' },
        { rule: '!has(oldSelf.status) || has(self.status)', message: 'a status stays' },
      ),
    );
    await fixture.ok('POST', pathOf(crd), instance(crd, 'a', { spec: { fixed: 'x', grows: 1, n: 1, list: [{ key: 'a', value: 5 }] } }));
  });

  test.each([
    ['a value that may not change', { fixed: 'y' }, 'spec.fixed: Invalid value: "y": is fixed'],
    ['a value that may only grow', { grows: 0 }, 'spec.grows: Invalid value: 0: only grows'],
    [
      'a list item, found by its key',
      {
        list: [
          { key: 'b', value: 1 },
          { key: 'a', value: 4 },
        ],
      },
      'spec.list[1].value: Invalid value: 4: only grows',
    ],
    [
      'a new list item',
      {
        list: [
          { key: 'b', value: 1 },
          { key: 'a', value: 5 },
        ],
      },
      '',
    ],
    ['a value of a map', { map: { z: 'bad' } }, 'spec.map[z]: Duplicate value: "bad"'],
    ['a field whose name is escaped', { 'x-y': -1 }, 'spec.x-y: Invalid value: is more than nothing'],
    [
      'a rule that fails to evaluate',
      { n: 0 },
      'spec: Invalid value: "object": division by zero evaluating rule: 1 / (has(self.n) ? self.n : 1) >= 0',
    ],
  ])('%s', async (_what, spec, want) => {
    expect(why(await patch(crd, 'a', spec))).toBe(want);
  });

  test('without an old value are not evaluated', async () => {
    expect(why(await create(crd, 'ab', { grows: 2 }))).toBe('spec.grows: Invalid value: 2: only grows');
    expect((await create(crd, 'ac', { grows: 1, fixed: 'anything' })).status).toBe(201);
  });

  test('see the name and the whole object', async () => {
    expect(why(await create(crd, 'b', {}))).toBe('<nil>: Invalid value: begins with a');
    const status = (value: unknown) => fixture.send('PATCH', `${pathOf(crd)}/a/status`, { status: value }, 'application/merge-patch+json');
    expect((await status({ up: true })).status).toBe(200);
    expect(why(await status(null))).toBe('<nil>: Invalid value: a status stays');
  });

  test('are rejected for list items without keys', async () => {
    const item = { ...text, ...rules({ rule: 'self == oldSelf' }) };
    const list = (type: object) => ({ type: 'array', maxItems: 2, ...type, items: item });
    const spec = { type: 'object', properties: { plain: list({}), set: list({ 'x-kubernetes-list-type': 'set' }) } };
    const { json } = await fixture.send('POST', definitions, definition({ versions: [version('v1', schemaOf(spec))] }));
    expect(json.details.causes.map(({ message }: Any) => message)).toEqual(
      ['plain', 'set'].map((name) =>
        expect.stringContaining(
          `oldSelf cannot be used on the uncorrelatable portion of the schema within spec.validation.openAPIV3Schema.properties[spec].properties[${name}]`,
        ),
      ),
    );
  });
});

describe('a value that a newer schema rejects', () => {
  const spec = (value: object, more: object = {}): object => ({
    type: 'object',
    properties: {
      n: value,
      keyed: keyed(value),
      plain: { type: 'array', items: value },
      map: { type: 'object', additionalProperties: value },
      other: text,
      ...more,
    },
  });
  let crd: Any;
  beforeAll(async () => {
    crd = await withSpec(spec(integer));
    const old = {
      n: 9,
      keyed: [
        { key: 'a', value: 9 },
        { key: 'b', value: 1 },
      ],
      plain: [9, 1],
      map: { x: 9 },
    };
    await fixture.ok('POST', pathOf(crd), instance(crd, 'a', { spec: old }));
    await change(crd, [version('v1', schemaOf(spec({ ...integer, maximum: 5, ...rules({ rule: 'self % 2 == 1', message: 'is odd' }) })))]);
  });
  const limit = 'should be less than or equal to 5';

  test.each([
    ['stays while another field changes', { other: 'x' }, ''],
    [
      'stays in an item that is moved',
      {
        keyed: [
          { key: 'b', value: 3 },
          { key: 'a', value: 9 },
        ],
      },
      '',
    ],
    [
      'may not become another invalid value',
      {
        keyed: [
          { key: 'b', value: 3 },
          { key: 'a', value: 8 },
        ],
      },
      `spec.keyed[1].value: Invalid value: 8: spec.keyed[1].value in body ${limit}`,
    ],
    ['is validated again if list items have no keys', { plain: [9, 3] }, `spec.plain[0]: Invalid value: 9: spec.plain[0] in body ${limit}`],
    ['stays beside a new one in a map', { map: { y: 1 } }, ''],
    ['does not excuse a new one', { map: { z: 7 } }, `spec.map.z: Invalid value: 7: spec.map.z in body ${limit}`],
    ['may not violate another rule', { n: 2 }, 'spec.n: Invalid value: 2: is odd'],
  ])('%s', async (_what, body, want) => {
    expect(why(await patch(crd, 'a', body))).toContain(want);
    if (want === '') expect((await patch(crd, 'a', body)).status).toBe(200);
  });

  test('does not block a replacement by itself or a new label', async () => {
    const now = (await fixture.get(`${pathOf(crd)}/a`)).json;
    expect((await fixture.send('PUT', `${pathOf(crd)}/a`, now)).status).toBe(200);
    const labels = { metadata: { labels: { a: 'b' } } };
    expect((await fixture.send('PATCH', `${pathOf(crd)}/a`, labels, 'application/merge-patch+json')).status).toBe(200);
  });

  test('is not ratcheted if it is missing', async () => {
    const plain = await withSpec({ type: 'object', properties: { a: text } });
    await create(plain, 'a', { a: 'x' });
    const needed = { type: 'object', required: ['b'], properties: { a: text, b: text } };
    await change(plain, [version('v1', schemaOf(needed))]);
    expect(why(await patch(plain, 'a', { a: 'y' }))).toContain('spec.b: Required value');
    expect((await patch(plain, 'a', { a: 'y', b: 'z' })).status).toBe(200);
  });
});

describe('stored versions', () => {
  const open = { schema: openSchema };
  const v1 = (storage: boolean, served = true) => version('v1', { ...open, storage, served });
  const v2 = (storage: boolean, served = true) => version('v2', { ...open, storage, served });

  test('are listed as long as objects may be stored at them', async () => {
    const crd = await fixture.define({ versions: [v1(true), v2(false)] });
    const { json } = await change(crd, [v1(false), v2(true)]);
    expect(json.status.storedVersions).toEqual(['v1', 'v2']);
    expect(why(await change(crd, [v2(true)]))).toBe(
      'status.storedVersions[0]: Invalid value: "v1": missing from spec.versions; v1 was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in v1 and removes v1 from status.storedVersions',
    );
    for (const versions of [
      [v1(true), v2(true)],
      [v1(false), v2(false)],
    ]) {
      expect(why(await change(crd, versions))).toMatch(/must have exactly one version marked as storage version/);
    }
    const at = `${definitions}/${crd.metadata.name}/status`;
    const now = await fixture.ok('GET', at);
    await fixture.ok('PUT', at, { ...now, status: { ...now.status, storedVersions: ['v2'] } });
    expect((await change(crd, [v2(true)])).status).toBe(200);
  });

  test('do not have to be served', async () => {
    const crd = await fixture.define({ versions: [v1(true), v2(false)] });
    await fixture.ok('POST', pathOf(crd, 'v1'), instance(crd, 'a', { x: 1 }));
    await change(crd, [v1(true, false), v2(false)]);
    expect((await fixture.get(pathOf(crd, 'v1'))).status).toBe(404);
    expect(await fixture.ok('GET', `${pathOf(crd, 'v2')}/a`)).toMatchObject({
      apiVersion: `${crd.spec.group}/v2`,
      x: 1,
    });
    await change(crd, [v1(true, false), v2(false, false)]);
    expect((await fixture.get(pathOf(crd, 'v2'))).status).toBe(404);
    expect((await fixture.get(`/apis/${crd.spec.group}`)).status).toBe(404);
  });
});
