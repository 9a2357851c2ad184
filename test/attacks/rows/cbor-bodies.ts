import { cbor, head, map, text } from '../builders/cbor.ts';
import { create } from '../builders/json.ts';
import { configMaps, defineCustom, dry, gadgets, servesCustom, type Target } from '../builders/targets.ts';
import { count, large, long, mebibyte } from '../builders/text.ts';
import type { Attack, Attacks } from '../harness/attack.ts';

const whole = (name: string, body: () => Uint8Array, codes: readonly number[], message?: string): Attack => ({
  name,
  send: () => create(configMaps, body(), '', 'application/cbor'),
  codes,
  message,
});

/** Returns an object whose last member is raw. */
const member = (target: Target, name: string, value: Uint8Array): Buffer => {
  const own = Object.entries({ ...target.members, metadata: { name: target.object } });
  return map(...own.map(([key, one]): [string, Buffer] => [key, cbor(one)]), [name, Buffer.from(value)]);
};

const spec = (name: string, value: () => Uint8Array, codes: readonly number[], message?: string): Attack => ({
  name: `gadgets: ${name}`,
  send: () => create(gadgets, member(gadgets, 'spec', value()), '', 'application/cbor'),
  codes,
  message,
});

const nested = (levels: number, open: Uint8Array, middle: Uint8Array): Buffer =>
  Buffer.concat([Buffer.alloc(levels * open.length, open), middle]);
const indefinite = (major: number): number => major * 32 + 31;
const end = Buffer.from([0xff]);

/** Lengths that exceed the bytes present. */
const lies: Attack[] = [2, 3, 4, 5].flatMap((major) =>
  [2 ** 20, 2 ** 32, 2n ** 63n, 2n ** 64n - 1n].map((length) =>
    whole(`${['bytes', 'a text', 'a list', 'a map'][major - 2]} of length ${length} without content`, () => head(major, length), [400]),
  ),
);

const deep: Attack[] = [40, 100, 980, 20_000, 1_000_000].flatMap((levels) => {
  // upstream accepts at most 64 levels
  const codes = levels < 60 ? [201] : [400];
  const message = levels < 60 ? undefined : 'exceeded max nested level 64';
  return [
    spec(`${count(levels)} nested lists`, () => nested(levels, head(4, 1), head(0, 1)), codes, message),
    spec(`${count(levels)} nested maps`, () => nested(Math.min(levels, 900_000), map(['a', Buffer.alloc(0)]), head(0, 1)), codes, message),
    spec(`${count(levels)} nested tags`, () => nested(levels, head(6, 100), head(0, 1)), [...(levels < 60 ? [201] : [400])]),
  ];
});

const broken: Attack[] = (
  [
    ['nothing', () => []],
    ['a break', () => [0xff]],
    ['3 MiB of breaks', () => Buffer.alloc(large, 0xff)],
    ['3 MiB of zeros', () => Buffer.alloc(large)],
    ['3 MiB of list heads without length', () => Buffer.alloc(large, indefinite(4))],
    ['a map that does not end', () => [indefinite(5), 0x61, 0x61, 0]],
    ['a map that ends in the middle of a pair', () => [indefinite(5), 0x61, 0x61, 0xff]],
    ['a reserved length of 28', () => [0x9c]],
    ['a reserved length of 30', () => [0xbe]],
    ['an invalid simple value', () => [0xf8, 0x20]],
    ['undefined', () => [0xf7]],
    ['not a number', () => [0xf9, 0x7e, 0x00]],
    ['infinity', () => [0xfa, 0x7f, 0x80, 0, 0]],
    ['a text that is not UTF-8', () => [0x62, 0xff, 0xfe]],
    ['a key that is a number', () => [0xa1, 0x01, 0x01]],
    ['a key that is a list', () => [0xa1, 0x80, 0x01]],
    ['a bignum', () => [0xc2, 0x41, 0x01]],
    ['a bignum of a mebibyte', () => Buffer.concat([head(6, 2), head(2, mebibyte), Buffer.alloc(mebibyte, 1)])],
    ['the largest unsigned integer', () => Buffer.from([0x1b, ...Buffer.alloc(8, 0xff)])],
    ['an invalid date', () => Buffer.concat([head(6, 0), text(long(1_000_000, '0'))])],
    ['two items', () => [0xa0, 0xa0]],
    ['a text', () => text(long(large))],
    ['JSON', () => Buffer.from('{"kind":"ConfigMap"}')],
  ] as const
).map(([name, bytes]) => whole(`a body that is ${name}`, () => Buffer.from(bytes()), [400]));

export const cborBodies: Attacks = {
  title: 'CBOR bodies',
  flags: ['--feature-gates=CBORServingAndStorage=true'],
  setup: defineCustom,
  serves: servesCustom,
  rows: [
    ...lies,
    ...deep,
    ...broken,
    spec('a key twice', () => map(['a', head(0, 1)], ['a', head(0, 2)]), [400]),
    spec('a prototype', () => map(['__proto__', map(['polluted', text('yes')])]), [201]),
    spec('1,024 elements', () => Buffer.concat([head(4, 1_024), Buffer.alloc(1_024)]), [201]),
    spec('1,025 elements', () => Buffer.concat([head(4, 1_025), Buffer.alloc(1_025)]), [400], 'max number of elements'),
    spec(
      '3 million elements without a length',
      () => Buffer.concat([Buffer.from([indefinite(4)]), Buffer.alloc(3_000_000), end]),
      [400],
      'max number of elements',
    ),
    spec('1,025 pairs', () => Buffer.from(cbor(Object.fromEntries(keys(1_025)))), [400], 'key-value pairs'),
    spec('a text in a million pieces', () => pieces(3, 1_000_000), [201]),
    spec('bytes in a million pieces', () => pieces(2, 1_000_000), [201]),
    spec('a text of 3 MiB', () => text(long(large)), [201]),
    spec('a text with a base64 tag', () => Buffer.concat([head(6, 22), head(2, mebibyte), Buffer.alloc(mebibyte)]), [201]),
    {
      name: 'an apply of a thousand nested lists',
      send: () => ({
        method: 'PATCH',
        path: dry(`${gadgets.path}/attacked`, '&fieldManager=x'),
        headers: { 'content-type': 'application/apply-patch+cbor' },
        body: member(gadgets, 'spec', nested(1_000, head(4, 1), head(0, 1))),
      }),
      codes: [400],
    },
  ],
};

const keys = (many: number): [string, number][] => Array.from({ length: many }, (_, at) => [`k${at}`, at % 10]);
const pieces = (major: number, many: number): Buffer =>
  Buffer.concat([Buffer.from([indefinite(major)]), Buffer.alloc(2 * many, Buffer.concat([head(major, 1), Buffer.from('a')])), end]);
