import { create } from '../builders/json.ts';
import { envelope, field, key, magic, named, nestedField, varint } from '../builders/protobuf.ts';
import { configMaps, crds, deployments, pods, type Target } from '../builders/targets.ts';
import { count, large, long, mebibyte } from '../builders/text.ts';
import type { Attack, Attacks } from '../harness/attack.ts';

const row = (name: string, body: () => Uint8Array, codes: readonly number[], message?: string, target: Target = configMaps): Attack => ({
  name,
  send: () => create(target, body(), '', 'application/vnd.kubernetes.protobuf'),
  codes,
  message,
});

const good = envelope(named('attacked'));
const nothing = Buffer.alloc(0);

const envelopes: Attack[] = [
  row('no body', () => nothing, [400], 'empty data'),
  row('only the magic', () => magic, [400], 'empty body'),
  ...['K8s\0', 'k8s', 'k8s\x01', '\0k8s', 'gob\0', '{}'].map((start) =>
    row(
      `wrong magic: ${JSON.stringify(start)}`,
      () => Buffer.concat([Buffer.from(start), good.subarray(4)]),
      [400],
      'expected prefix [107 56 115 0]',
    ),
  ),
  row('3 MiB without magic', () => Buffer.alloc(large, 1), [400]),
  row('3 MiB of zeros behind the magic', () => Buffer.concat([magic, Buffer.alloc(large)]), [400]),
  row('3 MiB of ones behind the magic', () => Buffer.concat([magic, Buffer.alloc(large, 0xff)]), [400]),
  row('another kind', () => envelope(named('a'), 'v1', 'Secret'), [400]),
  row('a kind of a mebibyte', () => envelope(named('a'), 'v1', long(mebibyte)), [400]),
  row('a version of a mebibyte', () => envelope(named('a'), long(mebibyte)), [400]),
  row('200,000 types in one envelope', () => repeated(200_000, field(1, field(1, 'v1')), good), [201]),
  ...[5, 8, 12, 20, good.length - 1].map((length) => row(`cut after ${length} bytes`, () => good.subarray(0, length), [400])),
];

/** A valid envelope around an invalid ConfigMap. */
const messages: Attack[] = [
  row('a length beyond the end', () => envelope(Buffer.concat([key(1, 2), varint(2 ** 31)])), [400]),
  row('a length of ten bytes', () => envelope(Buffer.concat([key(1, 2), Buffer.alloc(9, 0xff), varint(1)])), [400]),
  row('a number that does not end', () => envelope(Buffer.concat([key(1, 0), Buffer.alloc(100, 0xff)])), [400]),
  row('a field number of zero', () => envelope(Buffer.from([0, 0])), [400]),
  row('a field number that is too large', () => envelope(Buffer.concat([varint(2 ** 34), varint(0)])), [400]),
  ...[3, 4, 6, 7].map((type) => row(`a wire type of ${type}`, () => envelope(Buffer.concat([key(100, type), varint(1)])), [400])),
  row('metadata that is a number', () => envelope(Buffer.concat([key(1, 0), varint(5)])), [400]),
  row('metadata that is a text', () => envelope(field(1, 'nonsense, more or less')), [400]),
  row('a name that is not UTF-8', () => envelope(named(Buffer.from([0xff, 0xfe]))), [422]),
  row('a name of a mebibyte', () => envelope(named(long(mebibyte))), [422]),
  row('metadata 200,000 times', () => envelope(repeated(200_000, named('attacked'))), [201]),
  row('a million unknown fields', () => envelope(repeated(700_000, field(100, 'x'), named('attacked'))), [201]),
  row('a million unknown numbers', () => envelope(repeated(700_000, Buffer.concat([key(100, 0), varint(1)]), named('attacked'))), [201]),
  row(
    '100,000 groups, one after the other',
    () => envelope(repeated(100_000, Buffer.concat([key(100, 3), key(100, 4)]), named('attacked'))),
    [201],
  ),
  ...[1_000, 20_000, 500_000].map((levels) =>
    row(
      `${count(levels)} nested groups`,
      () => envelope(Buffer.concat([named('attacked'), ...repeat(levels, key(100, 3)), ...repeat(levels, key(100, 4))])),
      [201],
    ),
  ),
  row('20,000 groups that never end', () => envelope(Buffer.concat(repeat(20_000, key(100, 3)))), [400]),
  row('100,000 entries of data', () => envelope(repeated(100_000, entry('key', 'value'), named('attacked'))), [201]),
  row('entries of data without key and value', () => envelope(repeated(400_000, field(2, ''), named('a'))), [422]),
  row('a prototype for data', () => envelope(Buffer.concat([named('a'), entry('__proto__', 'x')])), [201]),
  row('a prototype for a label', () => envelope(named('a', field(11, pair('__proto__', 'x')))), [422]),
  row('200,000 owners that are empty', () => envelope(named('a', repeated(200_000, field(13, '')))), [422]),
  row('200,000 finalizers', () => envelope(named('a', repeated(200_000, field(14, 'x.io/y')))), [201]),
  row('managed fields that are not JSON', () => envelope(named('a', field(17, field(7, field(1, '{'))))), [400]),
];

/** Messages that contain themselves. */
const deep: Attack[] = [100, 5_000, 20_000, 200_000].flatMap((levels) => [
  row(
    `customresourcedefinitions: a schema of ${count(levels)} levels`,
    () => {
      const schema = field(1, nestedField(28, levels));
      const version = field(7, Buffer.concat([field(1, 'v1'), field(4, schema)]));
      const type = 'apiextensions.k8s.io/v1';
      const meta = named('things.attacks.example.com');
      return envelope(Buffer.concat([meta, field(2, version)]), type, 'CustomResourceDefinition');
    },
    [levels > 1_000 ? 400 : 422],
    undefined,
    crds,
  ),
  row(`${count(levels)} nested unknown fields`, () => envelope(join(nestedField(100, levels))), [201]),
]);

const lists: Attack[] = [
  row(
    'pods: 100,000 empty containers',
    () => envelope(Buffer.concat([named('a'), field(2, repeated(100_000, field(2, '')))]), 'v1', 'Pod'),
    [422],
    undefined,
    pods,
  ),
  {
    ...row(
      'pods: 1,500,000 empty containers',
      () => envelope(Buffer.concat([named('a'), field(2, repeated(1_500_000, field(2, '')))]), 'v1', 'Pod'),
      // 413 where the memory of a worker ends first
      [413, 422],
      undefined,
      pods,
    ),
    maxGrown: 1024 * mebibyte,
  },
  row(
    'deployments: only a selector of 50,000 labels',
    () => {
      const selector = Buffer.concat(Array.from({ length: 50_000 }, (_, at) => field(1, pair(`k${at}`, 'v'))));
      return envelope(Buffer.concat([named('a'), field(2, field(2, selector))]), 'apps/v1', 'Deployment');
    },
    [422],
    undefined,
    deployments,
  ),
];

export const protobufBodies: Attacks = {
  title: 'protobuf bodies',
  rows: [...envelopes, ...messages, ...deep, ...lists],
};

const repeat = (times: number, piece: Buffer): Buffer[] => new Array<Buffer>(times).fill(piece);

function repeated(times: number, piece: Buffer, first: Uint8Array = nothing): Buffer {
  return Buffer.concat([first, Buffer.alloc(times * piece.length, piece)]);
}

const join = (more: Uint8Array): Buffer => Buffer.concat([named('attacked'), more]);
const pair = (name: string, value: string): Buffer => Buffer.concat([field(1, name), field(2, value)]);
const entry = (name: string, value: string): Buffer => field(2, pair(name, value));
