import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { open } from 'lmdb';
import type { Logger } from '../../../../runtime/observe/logger.ts';
import { silentLogger } from '../../../../runtime/observe/logger.ts';
import { checkStore } from '../../../../runtime/storage/lmdb/check-store.ts';
import { makeCompression } from '../../../../runtime/storage/lmdb/compression.ts';
import { openLmdbEngine } from '../../../../runtime/storage/lmdb/lmdb-engine.ts';

let path: string;
beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), 'kubeloom-upgrade-'));
});
afterEach(() => rm(path, { recursive: true, force: true }));

interface FormerObject {
  readonly key: string;
  readonly value: string;
  readonly revision: number;
}

const pod = (name: string) => `{"metadata":{"name":"${name}"},"pad":"${'kubernetes '.repeat(60)}"}`;

/** Writes a store as versions before checksums did, with one object deleted and one written twice. */
async function writeFormer(objects: readonly FormerObject[], owner?: object): Promise<void> {
  await writeFile(join(path, 'store.json'), '{"store":"kubeloom-lmdb","format":1}\n');
  const options = { keyEncoding: 'binary', encoding: 'binary' } as const;
  const root = open<Buffer, Buffer>(path, { ...options, noSubdir: false, overlappingSync: false, maxDbs: 8 });
  const [meta, keys, history] = ['meta', 'keys', 'history'].map((name) => root.openDB<Buffer, Buffer>(name, options));
  const log = root.openDB<Buffer, Buffer>('log', { ...options, compression: makeCompression() });
  const put = (type: number, key: string, value: string, revisions: readonly number[]): void => {
    const [revision, created, previous] = revisions;
    const header = Buffer.concat([Buffer.of(type), numbers(created, previous), Buffer.alloc(8)]);
    header.writeUInt32BE(Buffer.byteLength(key), 17);
    header.writeUInt32BE(Buffer.byteLength(value), 21);
    log.put(numbers(revision), Buffer.concat([header, Buffer.from(key), Buffer.from(value)]));
    if (previous > 0) {
      const ended = Buffer.concat([Buffer.from(key), Buffer.of(0), numbers(revision)]);
      history.put(ended, numbers(created, previous));
    }
    if (type === 1) keys.put(Buffer.from(key), numbers(created, revision));
    else keys.remove(Buffer.from(key));
  };
  await root.batch(() => {
    for (const { key, value, revision } of objects) put(1, key, value, [revision, revision, 0]);
    put(1, '/registry/core/pods/ns/gone', pod('gone'), [98, 98, 0]);
    put(2, '/registry/core/pods/ns/gone', '', [99, 98, 98]);
    meta.put(Buffer.from('compacted'), numbers(1));
    if (owner !== undefined) meta.put(Buffer.from('owner'), Buffer.from(JSON.stringify(owner)));
  });
  await root.close();
}

function numbers(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 8);
  for (const [index, value] of values.entries()) bytes.writeBigUInt64BE(BigInt(value), index * 8);
  return bytes;
}

const former: readonly FormerObject[] = [
  { key: '/registry/core/pods/ns/a', value: pod('a'), revision: 5 },
  { key: '/registry/core/services/ns/b', value: '{"metadata":{"name":"b"}}', revision: 7 },
  { key: '/registry/example.com/widgets/ns/c', value: pod('c'), revision: 9 },
];

const upgraded = [
  { key: '/registry/example.com/widgets/ns/c', value: pod('c'), modRevision: 9 },
  { key: '/registry/pods/ns/a', value: pod('a'), modRevision: 5 },
  { key: '/registry/services/specs/ns/b', value: '{"metadata":{"name":"b"}}', modRevision: 7 },
];

async function read(logger: Logger = silentLogger) {
  const engine = await openLmdbEngine({ path, logger });
  try {
    const { items } = await engine.range('/', '0');
    return {
      revision: engine.revision(),
      compacted: engine.compactedRevision(),
      items: items.map(({ key, value, modRevision }) => ({ key, value: Buffer.from(value).toString(), modRevision })),
    };
  } finally {
    await engine.close();
  }
}

const want = { revision: 99, compacted: 98, items: upgraded };

describe('a store of a former format is upgraded when it is opened', () => {
  test('with its objects, at their revisions and under their new keys, and without its history', async () => {
    await writeFormer(former);
    const lines: object[] = [];
    const logger: Logger = { ...silentLogger, info: (fields, message) => lines.push({ ...fields, message }) };
    expect(await read(logger)).toEqual(want);
    expect(lines).toEqual([expect.objectContaining({ objects: 3, format: 3 })]);
    expect(await read()).toEqual(want);
    expect(await checkStore(path)).toMatchObject({ problems: [], keys: 3 });
    expect(await readdir(path)).not.toContain('upgrading');
  });

  test('however far an interrupted upgrade came', async () => {
    await writeFormer(former);
    const before = await readFile(join(path, 'data.mdb'));
    await read();
    const after = await readFile(join(path, 'data.mdb'));
    const marker = (text: string) => writeFile(join(path, 'store.json'), text);
    // the new file is made
    await marker('{"store":"kubeloom-lmdb","format":1}');
    await writeFile(join(path, 'data.mdb'), before);
    expect(await read()).toEqual(want);
    // the marker is written
    await marker('{"store":"kubeloom-lmdb","format":3,"upgradingFrom":1}');
    await writeFile(join(path, 'data.mdb'), before);
    await mkdirWith('upgrading', after);
    expect(await read()).toEqual(want);
    // the new file is in its place
    await marker('{"store":"kubeloom-lmdb","format":3,"upgradingFrom":1}');
    await writeFile(join(path, 'data.mdb'), after);
    expect(await read()).toEqual(want);
    expect(JSON.parse(await readFile(join(path, 'store.json'), 'utf8'))).toEqual({ store: 'kubeloom-lmdb', format: 3 });
  });

  test('but not while a server of the old version runs', async () => {
    const started = (await readFile('/proc/1/stat', 'latin1').catch(() => '')).split(') ').at(-1)?.split(' ')[19];
    await writeFormer(former, { pid: 1, started });
    await expect(read()).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/stop it first/),
    });
    await writeFormer(former, { pid: 1, started: '1' });
    expect(await read()).toEqual(want);
  });

  test('values that are encrypted with their former keys stay as they are', async () => {
    const value = `k8s:enc:aesgcm:v1:key1:${'x'.repeat(50)}`;
    await writeFormer([{ key: '/registry/core/secrets/ns/s', value, revision: 5 }]);
    const [secret] = (await read()).items;
    expect(secret.key).toBe('/registry/secrets/ns/s');
    expect(Buffer.from(secret.value).toString()).toBe(value);
  });

  test('objects get the version that they are stored at now', async () => {
    const at = (version: string) =>
      `{"kind":"VolumeAttributesClass","apiVersion":"storage.k8s.io/${version}","metadata":{}}`;
    const folder = '/registry/storage.k8s.io/volumeattributesclasses';
    await writeFormer([{ key: `${folder}/a`, value: at('v1'), revision: 5 }]);
    const [{ key, value }] = (await read()).items;
    expect(key).toBe('/registry/volumeattributesclasses/a');
    expect(Buffer.from(value).toString()).toBe(at('v1beta1'));
  });
});

async function mkdirWith(folder: string, data: Buffer): Promise<void> {
  await mkdir(join(path, folder));
  await writeFile(join(path, folder, 'data.mdb'), data);
}
