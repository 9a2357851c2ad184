import { beforeAll, describe, expect, test } from '@jest/globals';
import { decodeCbor } from '../../../runtime/codec/cbor.ts';
import { type Any, DefinitionFixture, definition, definitions, instance, pathOf, storages, version } from './definition-fixture.ts';

const rootOf = (spec: object): object => ({ openAPIV3Schema: { type: 'object', properties: { spec } } });
const withSpec = (spec: object): Any => ({ versions: [version('v1', { schema: rootOf(spec) })] });
const text = { type: 'string' };
const integer = { type: 'integer' };

describe.each(storages)('values of custom resources in %s storage', (storage) => {
  const fixture = DefinitionFixture.forSuite(storage, { featureGates: ['CBORServingAndStorage=true'] });

  const create = (crd: Any, name: string, spec: unknown) => fixture.send('POST', pathOf(crd), instance(crd, name, { spec }));

  describe('null', () => {
    let crd: Any;
    beforeAll(async () => {
      const nested = (more: object) => ({ type: 'object', properties: { e: { ...text, default: 'z' } }, ...more });
      crd = await fixture.define(
        withSpec({
          type: 'object',
          required: ['needed'],
          properties: {
            needed: text,
            plain: integer,
            default: { ...text, default: 'x' },
            nullable: { ...text, nullable: true, default: 'y' },
            nothing: nested({ nullable: true }),
            object: nested({ default: {} }),
            list: { type: 'array', items: text },
            items: {
              type: 'array',
              items: { type: 'object', default: {}, properties: { p: { ...integer, default: 1 } } },
            },
            map: { type: 'object', additionalProperties: { ...text, default: 'q' } },
          },
        }),
      );
    });

    test.each([
      ['becomes the default if the field is not nullable', { default: null }, { default: 'x', nullable: 'y' }],
      ['is kept if the field is nullable', { nullable: null }, { default: 'x', nullable: null }],
      ['is dropped if there is no default', { plain: null, list: null }, { default: 'x' }],
      [
        'becomes the default in lists and maps too',
        { items: [null, {}], map: { k: null } },
        { items: [{ p: 1 }, { p: 1 }], map: { k: 'q' } },
      ],
      ['gets no defaults of its properties', { nothing: null }, { nothing: null, object: { e: 'z' } }],
      ['is replaced by an object with its own defaults', { nothing: {} }, { nothing: { e: 'z' } }],
    ])('%s', async (name, spec, want) => {
      const { status, json } = await create(crd, name.replaceAll(' ', '-'), { needed: 'n', ...spec });
      expect(status).toBe(201);
      expect(json.spec).toMatchObject(want);
      for (const key of ['plain', 'list']) expect(json.spec).not.toHaveProperty(key);
    });

    test('counts as missing for a required field', async () => {
      expect((await create(crd, 'null', { needed: null })).json.message).toContain('spec.needed: Required value');
    });

    test('is an item of the wrong type if items are not nullable', async () => {
      expect((await create(crd, 'item', { needed: 'n', list: [null] })).json.message).toContain(
        'spec.list[0]: Invalid value: "null": spec.list[0] in body must be of type string: "null"',
      );
    });
  });

  describe('numbers', () => {
    let crd: Any;
    beforeAll(async () => {
      crd = await fixture.define(
        withSpec({
          type: 'object',
          properties: {
            int: { type: 'integer', format: 'int64' },
            float: { type: 'number' },
            either: { 'x-kubernetes-int-or-string': true },
            any: { 'x-kubernetes-preserve-unknown-fields': true },
          },
        }),
      );
    });
    const written = (name: string, spec: string) => {
      const { apiVersion, kind } = instance(crd, name);
      const body = `{"apiVersion":"${apiVersion}","kind":"${kind}","metadata":{"name":"${name}"},"spec":${spec}}`;
      return fixture.send('POST', pathOf(crd), body);
    };
    const specOf = (body: Buffer): string => body.toString().replace(/^.*"spec":(.*)\}\n?$/s, '$1');

    test.each([
      ['{"int":9007199254740993}', '{"int":9007199254740993}'],
      ['{"int":-9223372036854775808}', '{"int":-9223372036854775808}'],
      ['{"int":1.0,"float":1.0}', '{"int":1,"float":1}'],
      ['{"int":1e3,"float":5}', '{"int":1000,"float":5}'],
      ['{"float":0.1}', '{"float":0.1}'],
      ['{"float":1e-7}', '{"float":1e-7}'],
      ['{"any":1e21}', '{"any":1e+21}'],
      ['{"any":[9223372036854775807,18446744073709551616,1.50]}', '{"any":[9223372036854775807,18446744073709552000,1.5]}'],
      ['{"either":3}', '{"either":3}'],
      ['{"either":"50%"}', '{"either":"50%"}'],
    ])('%s is exact in every encoding', async (spec, want) => {
      const name = `n${fixture.fixture.server.revision()}`;
      const made = await written(name, spec);
      expect([made.status, specOf(made.body)]).toEqual([201, want]);
      const path = `${pathOf(crd)}/${name}`;
      const stored = await fixture.get(path);
      expect(specOf(stored.body)).toBe(want);
      // an object is the same in every encoding
      for (const type of ['application/json', 'application/yaml', 'application/cbor']) {
        const { body } = await fixture.get(path, {}, type);
        const put = await fixture.fixture.client.send('PUT', path, body, type);
        expect([put.status, put.body.toString()]).toEqual([200, stored.body.toString()]);
      }
    });

    test('of 64 bits are integers in CBOR', async () => {
      await written('cbor', '{"int":9007199254740993,"float":1.5}');
      const { body } = await fixture.get(`${pathOf(crd)}/cbor`, {}, 'application/cbor');
      expect((decodeCbor(body) as Any).spec).toEqual({ int: 9007199254740993n, float: 1.5 });
    });

    test.each([
      ['{"int":1.5}', 'spec.int in body must be of type integer: "number"'],
      ['{"int":9223372036854775808}', 'spec.int in body must be of type integer: "number"'],
      ['{"either":1.5}', 'spec.either in body must be of type integer,string: "number"'],
      ['{"either":true}', 'spec.either in body must be of type integer,string: "boolean"'],
    ])('%s is rejected', async (spec, why) => {
      const { status, json } = await written('refused', spec);
      expect([status, json.message]).toEqual([422, expect.stringContaining(why)]);
    });
  });

  test.each([
    ['uuid', 'x'],
    ['ipv4', '1.2.3'],
    ['ipv6', '1.2.3.4'],
    ['cidr', '1'],
    ['email', 'x'],
    ['date', '2020-13-01'],
    ['date-time', 'x'],
    ['duration', '1y'],
    ['byte', '***'],
    ['hostname', '-a'],
    ['uri', '::'],
    ['mac', 'x'],
    ['k8s-short-name', 'A'],
    ['k8s-long-name', 'A.b'],
  ])('values of format %s are validated', async (format, wrong) => {
    const crd = await fixture.define(withSpec({ type: 'object', properties: { t: { ...text, format } } }));
    expect((await create(crd, 'x', { t: wrong })).json.details.causes).toEqual([
      {
        reason: 'FieldValueTypeInvalid',
        field: 'spec.t',
        message: `Invalid value: "${wrong}": spec.t in body must be of type ${format}: "${wrong}"`,
      },
    ]);
  });

  test('an unknown format causes a warning, and accepts any value', async () => {
    const crd = definition(withSpec({ type: 'object', properties: { t: { ...text, format: 'foo-bar' } } }));
    const made = await fixture.send('POST', definitions, crd);
    expect([made.status, made.headers.warning]).toEqual([201, '299 - "unrecognized format \\"foo-bar\\""']);
    await fixture.until(`${definitions}/${crd.metadata.name}`, (now) => now.status?.conditions?.length > 1);
    expect((await create(crd, 'x', { t: 'anything' })).status).toBe(201);
  });
});

describe('patterns', () => {
  const fixture = DefinitionFixture.forSuite();

  test.each([
    ['(?=a)', 'invalid or unsupported Perl syntax: `(?=`'],
    ['(?<!a)b', 'invalid named capture: `(?<!a)b`'],
    ['(a)\\1', 'invalid escape sequence: `\\1`'],
    ['\\d{1001}', 'invalid repeat count: `{1001}`'],
    ['a**', 'invalid nested repetition operator: `**`'],
    ['[', 'missing closing ]: `[`'],
    ['(a', 'missing closing ): `(a`'],
  ])('that RE2 rejects are rejected: %s', async (pattern, why) => {
    const crd = definition(withSpec({ type: 'object', properties: { t: { ...text, pattern } } }));
    const { status, json } = await fixture.send('POST', definitions, crd);
    expect([status, json.details.causes]).toEqual([
      422,
      [
        {
          reason: 'FieldValueInvalid',
          field: 'spec.validation.openAPIV3Schema.properties[spec].properties[t].pattern',
          message: `Invalid value: ${JSON.stringify(pattern)}: must be a valid regular expression, but isn't: error parsing regexp: ${why}`,
        },
      ],
    ]);
  });

  test.each([
    ['^[[:alpha:]]+$', 'ab', 'a1'],
    ['^(?i)abc$', 'ABC', 'abd'],
    ['^(?P<n>a)b$', 'ab', 'b'],
    ['^\\pL+$', 'äß', '1'],
    ['^\\Q.\\E$', '.', 'a'],
    ['^a.b$', 'a b', 'a\nb'],
    ['^\\z|x$', '', 'y'],
  ])('match as RE2 does: %s', async (pattern, right, wrong) => {
    const crd = await fixture.define(withSpec({ type: 'object', properties: { t: { ...text, pattern } } }));
    const send = (name: string, t: string) => fixture.send('POST', pathOf(crd), instance(crd, name, { spec: { t } }));
    expect([(await send('right', right)).status, (await send('wrong', wrong)).status]).toEqual([201, 422]);
  });
});
