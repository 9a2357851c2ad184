import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { lineOf } from '../../../../runtime/testkit/recording/format.ts';
import { summarizeRecording } from '../../../../runtime/testkit/recording/read-recording.ts';

const time = '2026-01-02T03:04:05.000Z';
const header = {
  type: 'recording',
  format: 1,
  kubernetes: 'v1.35',
  clock: 'system',
  root: '/registry',
  revision: 1,
  time,
};
const value = Buffer.from('{"kind":"ConfigMap"}');
const object = { type: 'object', revision: 2, createRevision: 2, key: '/registry/configmaps/default/a', value };
const change = { ...object, type: 'change', revision: 3, time, change: 'put' };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kubeloom-recording-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Writes a recording of any entries with correct sums. */
async function recordingOf(...entries: readonly object[]): Promise<string> {
  let sum = 0;
  const lines = entries.map((entry) => {
    const line = lineOf(entry as Parameters<typeof lineOf>[0], sum);
    sum = line.sum;
    return line.text;
  });
  const file = join(folder, 'recording');
  await writeFile(file, lines.join(''));
  return file;
}

describe('a recording of a stranger', () => {
  test.each<readonly [string, object, string]>([
    ['a key of another program', { ...object, key: '/secrets/a' }, '"/secrets/a": the key is not below /registry/'],
    ['a change of such a key', { ...change, key: '/secrets/a' }, '"/secrets/a": the key is not below /registry/'],
    [
      'a deletion of such a key',
      { ...change, key: '/secrets/a', change: 'delete', value: Buffer.alloc(0) },
      '"/secrets/a": the key is not below /registry/',
    ],
    ['a key with a zero byte', { ...object, key: '/registry/\0' }, '"/registry/\\x00": the key has a zero byte'],
    ['no key', { ...object, key: undefined }, 'it has no key'],
    ['a key that is no text', { ...object, key: 7 }, 'it has no key'],
    ['no revision', { ...object, revision: '2' }, '"/registry/configmaps/default/a": it has no revision'],
    [
      'a value that is no object',
      { ...object, value: Buffer.from('x') },
      '"/registry/configmaps/default/a": its value is no object, neither in JSON nor in protobuf or CBOR',
    ],
    [
      'no value',
      { ...change, value: Buffer.alloc(0) },
      '"/registry/configmaps/default/a": its value is no object, neither in JSON nor in protobuf or CBOR',
    ],
  ])('is refused for %s, with the line', async (_what, entry, want) => {
    const file = await recordingOf(header, object, entry);
    await expect(summarizeRecording(file)).rejects.toThrow(`${file}: line 3: ${want}`);
  });

  test.each<readonly [string, object]>([
    ['a root', { ...header, root: undefined }],
    ['a revision', { ...header, revision: 'x' }],
  ])('is refused without %s', async (_what, entry) => {
    const file = await recordingOf(entry, object);
    const want = `${file}: its first line lacks the root of all keys, or a revision`;
    await expect(summarizeRecording(file)).rejects.toThrow(want);
  });

  test('is read if it is one', async () => {
    const deleted = { ...change, revision: 4, change: 'delete', value: Buffer.alloc(0) };
    const encrypted = { ...change, revision: 5, value: Buffer.from('k8s:enc:aescbc:v1:key:x') };
    expect(await summarizeRecording(await recordingOf(header, object, change, deleted, encrypted))).toMatchObject({
      revision: 5,
    });
  });
});
