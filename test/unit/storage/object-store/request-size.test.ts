import { readdirSync } from 'node:fs';
import { BinaryWriter } from '@bufbuild/protobuf/wire';
import { describe, expect, test } from '@jest/globals';
import { maxRequestBytes } from '../../../../runtime/machinery/limits.ts';
import { countedFrom, requestProblem } from '../../../../runtime/storage/object-store/request-size.ts';

const generated = new URL('../../../../generated/v1.35/', import.meta.url);
const tooLarge = 'etcdserver: request is too large';

describe('a write fits into a request to etcd', () => {
  // measured with etcd 3.6 and its default limit
  test.each<[what: string, key: string, expect: number, hasLease: boolean, largest: number]>([
    ['a creation', '/registry/amp.example.com/blobs/a', 0, false, 1_572_759],
    ['an update', '/registry/amp.example.com/blobs/a', 300, false, 1_572_719],
    ['an update of an early revision', '/registry/amp.example.com/blobs/a', 100, false, 1_572_720],
    ['a long key', `/registry/amp.example.com/blobs/${'n'.repeat(200)}`, 0, false, 1_572_358],
    ['an update of a long key', `/registry/amp.example.com/blobs/${'n'.repeat(200)}`, 300, false, 1_572_116],
    ['a creation that expires', '/registry/amp.example.com/blobs/a', 0, true, 1_572_749],
  ])('%s', (_what, key, revision, hasLease, length) => {
    const parts = { key, expect: revision, hasLease };
    expect(requestProblem({ ...parts, length })).toBeUndefined();
    expect(requestProblem({ ...parts, length: length + 1 })).toBe(tooLarge);
  });

  test.each([
    [2_097_060, tooLarge],
    [2_097_061, 'rpc error: code = ResourceExhausted desc = trying to send message larger than max (2097153 vs. 2097152)'],
  ])('a value of %i bytes is refused by who notices first', (length, message) => {
    const parts = { key: '/registry/amp.example.com/blobs/big', expect: 0, hasLease: false };
    expect(requestProblem({ ...parts, length })).toBe(message);
  });
});

/** Encodes a protobuf message. */
type Encode = (object: object, writer: BinaryWriter) => void;

test('protobuf of JSON below the bound fits, even in lists of empty structs', async () => {
  const largest: [name: string, bytes: number][] = [];
  const files = readdirSync(generated, { recursive: true }).map(String);
  for (const file of files.filter((one) => one.endsWith('codec.ts'))) {
    const codecs: Record<string, unknown> = await import(new URL(file, generated).href);
    for (const [name, encode] of Object.entries(codecs)) {
      // whole objects are not items of lists
      if (!name.startsWith('encode') || name.replace('encode', 'codec') in codecs) continue;
      const writer = new BinaryWriter();
      (encode as Encode)({}, writer);
      largest.push([`${file} ${name}`, writer.finish().length]);
    }
  }
  // `{},` against the struct with its tag and length
  const most = (3 * maxRequestBytes) / countedFrom - 2;
  const once = 'batch/v1/codec.ts encodeCronJobSpec';
  expect(largest.length).toBeGreaterThan(400);
  expect(largest.filter(([name, bytes]) => bytes > most && name !== once)).toEqual([]);
});
