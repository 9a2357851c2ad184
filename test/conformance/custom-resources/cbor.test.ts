import { beforeAll, expect, test } from '@jest/globals';
import { type Any, DefinitionFixture, pathOf, version } from './definition-fixture.ts';

/** Refusals of CBOR. The messages were compared with those of upstream's own server. */

const fixture = DefinitionFixture.forSuite('memory', { featureGates: ['CBORServingAndStorage=true'] });
const text = (value: string): string => `${((0x58 << 8) | value.length).toString(16)}${Buffer.from(value).toString('hex')}`;

let crd: Any;
let at: string;
beforeAll(async () => {
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object' } } } };
  crd = await fixture.define({ versions: [version('v1', { schema })] });
  at = pathOf(crd);
});

const send = (hex: string, query = '', method = 'POST', type = 'application/cbor') =>
  fixture.fixture.client.send(
    method,
    `${method === 'POST' ? at : `${at}/a`}?dryRun=All${query}`,
    Buffer.from(`d9d9f7${hex}`.replaceAll(' ', ''), 'hex'),
    type,
  );
const members = (count: number, rest: string): string =>
  `${(0xa0 | (count + 3)).toString(16)} ${text('apiVersion')} ${text(`${crd.spec.group}/v1`)} ${text('kind')} ${text('Foo')} ${text('metadata')} a1 ${text('name')} 4161 ${rest}`;

const unrecognized = 'the object provided is unrecognized (must be of type Foo): ';
const cannotHandle = 'Foo in version "v1" cannot be handled as a Foo: ';
const repeated = 'cbor: found duplicate map key "x" at map element index';

test.each<[string, () => string, string]>([
  [
    'a repeated key of the outermost map',
    () => members(2, '4178 01 4178 01'),
    `${unrecognized}unable to determine group/version/kind: ${repeated} 4 (`,
  ],
  ['a repeated key of an inner map', () => members(1, `${text('spec')} a2 4178 01 4178 01`), `${cannotHandle}${repeated} 1`],
  [
    'an integer beyond int64',
    () => members(1, `${text('spec')} 1bffffffffffffffff`),
    `${cannotHandle}cbor: cannot unmarshal positive integer into Go value of type int64 (18446744073709551615 overflows Go's int64)`,
  ],
  [
    'a list',
    () => '80',
    `${unrecognized}unable to determine group/version/kind: cbor: cannot unmarshal array into Go value of type v1.TypeMeta (cannot decode CBOR array to struct without toarray option) (d9d9f780)`,
  ],
  ['null', () => 'f6', `${unrecognized}Object 'Kind' is missing in '55799(null)' (d9d9f7f6)`],
  ['a kind that is a number', () => `a1 ${text('kind')} 05`, `${unrecognized}Object 'Kind' is missing in '55799({'kind': 5})' (`],
  [
    'an apiVersion that cannot be parsed',
    () => `a2 ${text('kind')} ${text('Foo')} ${text('apiVersion')} ${text('a/b/c')}`,
    `${unrecognized}Object 'Kind' is missing in '55799({'kind': 'Foo', 'apiVersion': 'a/b/c'})' (`,
  ],
  [
    'no apiVersion',
    () => `a1 ${text('kind')} ${text('Foo')}`,
    `Foo in version "" cannot be handled as a Foo: Object 'apiVersion' is missing in '55799({'kind': 'Foo'})'`,
  ],
  ['the beginning of a map', () => 'a1', `${unrecognized}unable to determine group/version/kind: unexpected EOF (d9d9f7a1)`],
])('%s is refused in the words of the CBOR decoder', async (_, hex, message) => {
  const { status, json } = await send(hex());
  expect([status, json.message]).toEqual([400, expect.stringContaining(message)]);
});

test.each(['Strict', 'Warn'])('unknown fields are not looked for in CBOR, not even with fieldValidation=%s', async (how) => {
  const { status, headers } = await send(members(1, `${text('unknown')} 01`), `&fieldValidation=${how}`);
  expect([status, headers.warning]).toEqual([201, undefined]);
});

test('the list of custom resources has no form in CBOR, as that of built-in resources has', async () => {
  const { group } = crd.spec;
  expect((await fixture.get(`/apis/${group}/v1`, {}, 'application/cbor')).status).toBe(406);
  expect((await fixture.get('/apis/apps/v1', {}, 'application/cbor')).status).toBe(200);
});

test('an applied configuration that is a list is refused in the words of the CBOR decoder', async () => {
  const { status, json } = await send('80', '&fieldManager=m', 'PATCH', 'application/apply-patch+cbor');
  expect([status, json.message]).toEqual([
    400,
    'error decoding YAML: cbor: cannot unmarshal array into Go value of type map[string]interface {}',
  ]);
});
