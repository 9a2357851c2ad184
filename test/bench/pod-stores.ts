import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import type { TestObject } from '../support/test-object.ts';
import { pod } from './fixtures.ts';
import { RawConnection } from './raw-client.ts';
import { newFolder, root, startKubeloom } from './target.ts';

const run = promisify(execFile);

export interface FilledStore {
  /** A folder for startKubeloom. The store is below `data`. */
  readonly folder: string;
  /** The bytes of all pods as served JSON. */
  readonly bytes: number;
  /** Bytes that the process held before and after filling the store. */
  readonly before: { readonly rss: number; readonly anonymous: number };
  readonly after: { readonly rss: number; readonly anonymous: number };
  /** Bytes some seconds later. */
  readonly rested: { readonly rss: number; readonly anonymous: number };
}

interface Prepared {
  readonly program: string;
  readonly podFile: string;
  readonly smallFile: string;
}

let prepared: Promise<Prepared> | undefined;

/**
 * Writes pods as a server stores them, in a separate process, which is far faster than HTTP.
 *
 * @param small stored pods of 2 KiB in place of 4
 */
export async function fillStore(storage: 'memory' | 'lmdb', counts: Record<string, number>, small = false): Promise<FilledStore> {
  prepared ??= prepare();
  const { program, podFile, smallFile } = await prepared;
  const folder = newFolder();
  const namespaces = Object.entries(counts).map(([namespace, count]) => `${namespace}=${count}`);
  const args = ['--expose-gc', program, storage, join(folder, 'data'), small ? smallFile : podFile, ...namespaces];
  const { stdout } = await run(process.execPath, args, { cwd: root, maxBuffer: 2 ** 20 });
  return { folder, ...JSON.parse(stdout) };
}

/** Builds one bundle, so that no loader counts as measured memory, and a pod with a server's defaults. */
async function prepare(): Promise<Prepared> {
  const folder = join(root, 'node_modules/.cache/kubeloom-bench');
  const program = join(folder, 'fill-store.mjs');
  await build({
    entryPoints: [join(root, 'test/bench/processes/fill-store.ts')],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
  });
  const server = await startKubeloom(['--storage=memory']);
  const [connection] = await server.open(1);
  const json = { 'content-type': 'application/json' };
  const path = '/api/v1/namespaces/default/pods';
  const made = await connection.send(RawConnection.request('POST', path, JSON.stringify(pod('one')), json), true);
  if (made.status !== 201) throw new Error(`a pod was rejected: ${made.body}`);
  const podFile = join(folder, 'pod.json');
  writeFileSync(podFile, made.body as Buffer);
  const smallFile = join(folder, 'small-pod.json');
  writeFileSync(smallFile, JSON.stringify(ofSize(JSON.parse(String(made.body)), 2048)));
  connection.close();
  await server.close();
  return { program, podFile, smallFile };
}

/** Returns the pod with one container and without managed fields, padded to the given number of bytes. */
function ofSize(object: TestObject, size: number): TestObject {
  const { managedFields: _, ...metadata } = object.metadata;
  const made = { ...object, metadata, spec: { ...object.spec, containers: object.spec.containers.slice(0, 1) } };
  const annotations = { ...metadata.annotations, padding: '' };
  made.metadata = { ...metadata, annotations };
  annotations.padding = 'x'.repeat(Math.max(0, size - JSON.stringify(made).length));
  return made;
}
