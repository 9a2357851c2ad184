import { readFileSync } from 'node:fs';
import { BinaryReader } from '@bufbuild/protobuf/wire';
import { describe, expect, test } from '@jest/globals';
import { decodeEnvelope, encodeEnvelope, encodeList, isEnvelope } from '../../../runtime/codec/protobuf.ts';
import { jsonWatchFrame, protobufWatchFrame } from '../../../runtime/codec/watch-frames.ts';
import { isDecodeError } from '../../../runtime/machinery/errors/decode-error.ts';

import { testShared } from '../../support/shared.ts';

const text = (value: string): Buffer => Buffer.from(value);

describe('the envelope', () => {
  test('encoded objects decode to themselves', () => {
    for (const size of [0, 1, 127, 128, 300, 70_000]) {
      const raw = Buffer.alloc(size, 7);
      const bytes = encodeEnvelope('apps/v1', 'Deployment', raw);
      expect(isEnvelope(bytes)).toBe(true);
      const envelope = decodeEnvelope(bytes);
      expect(envelope).toMatchObject({
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        contentType: '',
        contentEncoding: '',
      });
      expect(Buffer.compare(envelope.raw, raw)).toBe(0);
    }
  });

  test('unknown fields are skipped', () => {
    const bytes = Buffer.concat([encodeEnvelope('v1', 'Pod', text('x')), Buffer.of(0x2a, 1, 0, 0x30, 5, 0x0a, 2, 0x18, 1)]);
    expect(decodeEnvelope(bytes)).toMatchObject({ apiVersion: 'v1', kind: 'Pod' });
  });

  test.each<[string, Uint8Array, string]>([
    ['nothing', text(''), 'empty data'],
    ['JSON', text('{}'), 'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]'],
    ['only the magic', text('k8s\0'), 'empty body'],
    ['a length beyond the end', text('k8s\0\x12\x7f'), 'unexpected EOF'],
    ['a type beyond the end', text('k8s\0\x0a\x7f'), 'unexpected EOF'],
    ['a truncated tag', Buffer.from('k8s\0\x0a\x02\x0a', 'latin1'), 'unexpected EOF'],
    ['field 0', Buffer.from('k8s\0\x02\x00', 'latin1'), 'proto: Unknown: illegal tag 0 (wire type 2)'],
    ['an endless varint', Buffer.from(`k8s\0\x12${'\xff'.repeat(20)}`, 'latin1'), 'proto: integer overflow'],
  ])('%s is rejected', (_name, bytes, message) => {
    let error: unknown;
    try {
      decodeEnvelope(bytes);
    } catch (thrown) {
      error = thrown;
    }
    expect(isDecodeError(error)).toBe(true);
    expect((error as Error).message).toBe(message);
  });

  testShared('golden bytes decode, and encode to the same bytes', (shared) => {
    const golden = readFileSync(`${shared}/golden/v1.35/core.v1.ConfigMap.pb`);
    const { apiVersion, kind, raw } = decodeEnvelope(golden);
    expect([apiVersion, kind]).toEqual(['v1', 'ConfigMap']);
    expect(Buffer.compare(encodeEnvelope(apiVersion, kind, raw), golden)).toBe(0);
  });
});

test('a list is its metadata and the messages of its items', () => {
  const bytes = encodeList({ resourceVersion: '42', continue: 'abc', remainingItemCount: 300 }, [text('one'), text('')]);
  const expected = '0a 0e 0a00 12023432 1a03616263 20ac02 12036f6e65 1200';
  expect(Buffer.from(bytes).toString('hex')).toBe(expected.replaceAll(' ', ''));
  expect(Buffer.from(encodeList({}, [])).toString('hex')).toBe('0a060a0012001a00');
});

describe('watch frames', () => {
  test('JSON: one line per event', () => {
    expect(Buffer.from(jsonWatchFrame('ADDED', text('{"a":1}'))).toString()).toBe('{"type":"ADDED","object":{"a":1}}\n');
  });

  test('protobuf: length, then a bare WatchEvent with an envelope in it', () => {
    const envelope = encodeEnvelope('v1', 'Pod', Buffer.alloc(200));
    const frame = Buffer.from(protobufWatchFrame('MODIFIED', envelope));
    expect(frame.readUInt32BE(0)).toBe(frame.length - 4);
    const reader = new BinaryReader(frame.subarray(4));
    expect([reader.tag(), reader.string()]).toEqual([[1, 2], 'MODIFIED']);
    expect(reader.tag()).toEqual([2, 2]);
    reader.uint32();
    expect(reader.tag()).toEqual([1, 2]);
    expect(Buffer.compare(reader.bytes(), envelope)).toBe(0);
    expect(reader.pos).toBe(reader.len);
  });
});
