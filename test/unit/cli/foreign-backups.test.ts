import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { blockDigest, encodeRecords, noDigest } from '../../../runtime/storage/backup/format.ts';
import { openLmdbEngine } from '../../../runtime/storage/lmdb/lmdb-engine.ts';
import { KubeloomCommand } from '../../support/kubeloom-command.ts';

let command: KubeloomCommand;
let home: string;
beforeAll(async () => {
  command = await KubeloomCommand.make();
});
afterAll(() => command.remove());
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'kubeloom-foreign-'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

interface Foreign {
  readonly header?: Readonly<Record<string, unknown>>;
  /** Bytes, written as latin1. */
  readonly key?: string;
  readonly value?: string | Uint8Array;
}

const good = '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","namespace":"default"}}';
const goodKey = '/registry/configmaps/default/a';

/** Returns a backup of one record with correct checksums. */
function backupOf({ header, key = goodKey, value = good }: Foreign): Buffer {
  const fields = { kind: 'KubeloomBackup', format: 1, engine: 'lmdb', root: '/registry', revision: 9 };
  const line = `${JSON.stringify({ ...fields, compactedRevision: 1, created: '2026-01-02T03:04:05Z', ...header })}\n`;
  const placeholder = 'k'.repeat(key.length);
  const record = { key: placeholder, value: Buffer.from(value), createRevision: 5, modRevision: 6 };
  const payload = encodeRecords([record]);
  payload.write(key, payload.indexOf(placeholder), 'latin1');
  const size = Buffer.alloc(4);
  size.writeUInt32BE(payload.length);
  const end = Buffer.alloc(12);
  end.writeUInt8(1, 11);
  let digest: Uint8Array = noDigest;
  return Buffer.concat(
    [Buffer.from(line), Buffer.concat([size, payload]), end].flatMap((block) => {
      digest = blockDigest(digest, block);
      return [block, digest];
    }),
  );
}

const etcd = { engine: 'etcd', root: '/registry' };
const envelope = (type: string) => Buffer.from(`k8s\0${type}`, 'latin1');

const refused: readonly (readonly [what: string, foreign: Foreign, want: string])[] = [
  ['a key of another program', { key: '/secrets/a' }, '"/secrets/a": the key is not below /registry/'],
  ['a key beside the root', { key: '/registryx/a' }, '"/registryx/a": the key is not below /registry/'],
  ['the root as a key', { key: '/registry' }, '"/registry": the key is not below /registry/'],
  ['the root with a slash as a key', { key: '/registry/' }, '"/registry/": the key is not below /registry/'],
  ['a key without a slash', { key: 'registry/a' }, '"registry/a": the key is not below /registry/'],
  ['a key that ends in a byte of no character', { key: '/registry/a\xff' }, '"/registry/a\\xff": the key is not UTF-8'],
  ['a key with half a character', { key: '/registry/\xc3/a' }, '"/registry/\\xc3/a": the key is not UTF-8'],
  ['a key with a surrogate', { key: '/registry/\xed\xa0\x80' }, '"/registry/\\xed\\xa0\\x80": the key is not UTF-8'],
  ['an overlong key', { key: '/registry/\xc0\xaf' }, '"/registry/\\xc0\\xaf": the key is not UTF-8'],
  ['another key that is no text', { key: '\xfe\xed"\n' }, '"\\xfe\\xed\\"\\n": the key is not UTF-8'],
  ['a key with a zero byte', { key: '/registry/a\0b' }, '"/registry/a\\x00b": the key has a zero byte'],
  [
    'a key that is too long',
    { key: `/registry/${'a'.repeat(1100)}` },
    `"/registry/${'a'.repeat(1014)}"... (1110 bytes): the key has 1110 bytes, more than 1024`,
  ],
  ['an empty value', { value: '' }, `"${goodKey}": its value is not a JSON object`],
  ['an array', { value: '[]' }, `"${goodKey}": its value is not a JSON object`],
  ['null', { value: 'null' }, `"${goodKey}": its value is not a JSON object`],
  ['a text', { value: '"a"' }, `"${goodKey}": its value is not a JSON object`],
  ['a number', { value: '7' }, `"${goodKey}": its value is not a JSON object`],
  ['half an object', { value: good.slice(0, -1) }, `"${goodKey}": its value is not a JSON object`],
  ['two objects', { value: good + good }, `"${goodKey}": its value is not a JSON object`],
  ['YAML', { value: 'kind: ConfigMap\n' }, `"${goodKey}": its value is not a JSON object`],
  ['bytes', { value: Buffer.of(1, 2, 3) }, `"${goodKey}": its value is not a JSON object`],
  [
    'protobuf, where values are JSON',
    { value: envelope('\x0a\x0f\x0a\x02v1\x12\x09ConfigMap') },
    `"${goodKey}": its value is not a JSON object`,
  ],
  [
    'bytes of etcd',
    { header: etcd, value: Buffer.of(1, 2, 3) },
    `"${goodKey}": its value is no object, neither in JSON nor in protobuf or CBOR`,
  ],
  [
    'an envelope of nothing',
    { header: etcd, value: envelope('') },
    `"${goodKey}": its value is no object, neither in JSON nor in protobuf or CBOR`,
  ],
  [
    'an envelope without a kind',
    { header: etcd, value: envelope('\x0a\x04\x0a\x02v1') },
    `"${goodKey}": its value is no object, neither in JSON nor in protobuf or CBOR`,
  ],
  [
    'an envelope that is cut off',
    { header: etcd, value: envelope('\x0a\x7f\x0a\x02v1') },
    `"${goodKey}": its value is no object, neither in JSON nor in protobuf or CBOR`,
  ],
  [
    'an array of CBOR',
    { header: etcd, value: Buffer.of(0xd9, 0xd9, 0xf7, 0x80) },
    `"${goodKey}": its value is no object, neither in JSON nor in protobuf or CBOR`,
  ],
  [
    'a kind that nobody knows, whose message cannot be read',
    { header: etcd, value: envelope('\x0a\x0b\x0a\x02v1\x12\x05Robot\x12\x01\x08') },
    `"${goodKey}": no kind "Robot" is registered for version "v1" in scheme "storage"`,
  ],
  ['another root', { header: { root: '/' } }, 'the backup FILE cannot be used: its header names the root "/"'],
  [
    'a root that is no path',
    { header: { engine: 'etcd', root: 'registry' } },
    'the backup FILE cannot be used: its header names the root "registry"',
  ],
  ['a key of another root of etcd', { header: { engine: 'etcd', root: '/mine' } }, `"${goodKey}": the key is not below /mine/`],
];

describe('store restore writes nothing of a backup with', () => {
  test.each(refused)('%s', async (_what, foreign, want) => {
    const file = join(home, 'file');
    await writeFile(file, backupOf(foreign));
    const { code, stdout, stderr } = await command.run('store', 'restore', file, `--data-dir=${join(home, 'data')}`);
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr: `kubeloom: ${want.replace('FILE', file)}\n`,
    });
    expect(existsSync(join(home, 'data'))).toBe(false);
  });
});

describe('store restore takes', () => {
  test.each<readonly [string, Foreign]>([
    ['an object', {}],
    ['a key with other letters', { key: Buffer.from('/registry/configmaps/default/ä').toString('latin1') }],
    ['an encrypted value', { value: 'k8s:enc:aescbc:v1:key1:\xff' }],
    ['an object of etcd', { header: etcd }],
    ['an object of etcd in protobuf', { header: etcd, value: envelope('\x0a\x0f\x0a\x02v1\x12\x09ConfigMap\x12\x05\x0a\x03\x0a\x01a') }],
    ['an object of etcd with another root', { header: { engine: 'etcd', root: '/mine' }, key: '/mine/configmaps/default/a' }],
  ])('%s', async (_what, foreign) => {
    const file = join(home, 'file');
    await writeFile(file, backupOf(foreign));
    const outcome = await command.run('store', 'restore', file, `--data-dir=${join(home, 'data')}`);
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    const { stdout } = await command.run('store', 'dump', `--data-dir=${join(home, 'data')}`);
    const want = Buffer.from(foreign.key ?? goodKey, 'latin1')
      .toString('utf8')
      .replace('/mine/', '/registry/');
    expect(JSON.parse(stdout).key).toBe(want);
  });
});

describe('a folder with a store', () => {
  test('stays as it is when a backup is refused', async () => {
    const dir = join(home, 'data');
    const engine = await openLmdbEngine({ path: dir });
    await engine.write({ type: 'put', key: goodKey, value: Buffer.from(good), expect: 0 });
    await engine.close();
    const before = await readFile(join(dir, 'data.mdb'));
    const file = join(home, 'file');
    for (const foreign of [{ key: '/elsewhere' }, {}]) {
      await writeFile(file, backupOf(foreign));
      expect((await command.run('store', 'restore', file, `--data-dir=${dir}`)).code).toBe(1);
      expect(await readFile(join(dir, 'data.mdb'))).toEqual(before);
    }
  });

  test('is checked for keys of no object, and repaired without them', async () => {
    const dir = join(home, 'data');
    const engine = await openLmdbEngine({ path: dir });
    for (const key of [goodKey, '/elsewhere/a']) {
      await engine.write({ type: 'put', key, value: Buffer.from(good), expect: 0 });
    }
    await engine.close();
    const problem = '"/elsewhere/a": the key is not below /registry/';
    expect(await command.run('store', 'check', `--data-dir=${dir}`)).toMatchObject({ code: 1, stderr: `${problem}\n` });
    expect(await command.run('store', 'check', '--repair', `--data-dir=${dir}`)).toMatchObject({
      code: 0,
      stderr: `${problem}: left out\n`,
    });
    expect(await command.run('store', 'check', `--data-dir=${dir}`)).toMatchObject({ code: 0, stderr: '' });
  });
});
