import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { StoredObject } from '../../../runtime/storage/object-store/contract.ts';
import { openObjectStore } from '../../../runtime/storage/object-store/object-store.ts';
import type { TestObject } from '../../support/test-object.ts';

/**
 * Fills a store with copies of one pod, without a server, and reports the memory. Run bundled, with --expose-gc:
 *
 *     fill-store memory|lmdb FOLDER POD.json NAMESPACE=COUNT...
 */
const [storage, folder, podFile, ...namespaces] = process.argv.slice(2);
const atOnce = 500;

const engine =
  storage === 'memory'
    ? (await import('../../../runtime/storage/memory/memory-engine.ts')).createMemoryEngine()
    : await (await import('../../../runtime/storage/lmdb/lmdb-engine.ts')).openLmdbEngine({
        path: folder,
        unsafeNoFsync: true,
      });
const store = openObjectStore({ engine });
const pods = await store.collection({
  group: '',
  resource: 'pods',
  resourcePrefix: 'pods',
  namespaced: true,
  selectableFields: ({ spec, status }: TestObject) => ({
    'spec.nodeName': spec?.nodeName ?? '',
    'status.phase': status?.phase ?? '',
  }),
});
const template: TestObject = JSON.parse(readFileSync(podFile, 'utf8'));

function podAt(namespace: string, index: number): TestObject {
  const labels = { ...template.metadata.labels, ...(index % 100 === 0 ? { rare: 'yes' } : {}) };
  return {
    ...template,
    metadata: { ...template.metadata, name: `pod-${index}`, namespace, uid: randomUUID(), labels },
  };
}

function resident(): { rss: number; anonymous: number } {
  const status = readFileSync('/proc/self/status', 'utf8');
  const bytes = (name: string): number => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) * 1024;
  return { rss: bytes('VmRSS'), anonymous: bytes('RssAnon') };
}

/** Longer than the period in which V8 measures the rate of allocation. */
const restMs = 10_000;

async function collected(): Promise<{ rss: number; anonymous: number }> {
  for (let round = 0; round < 3; round++) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return resident();
}

const before = await collected();
let bytes = 0;
for (const entry of namespaces) {
  const [namespace, count] = entry.split('=');
  for (let made = 0; made < Number(count); made += atOnce) {
    const size = Math.min(atOnce, Number(count) - made);
    const writes = Array.from({ length: size }, (_, index) => pods.create(podAt(namespace, made + index)));
    for (const stored of await Promise.all(writes)) bytes += (stored as StoredObject).jsonLength;
  }
}
const after = await collected();
await new Promise((resolve) => setTimeout(resolve, restMs));
const rested = await collected();
console.log(JSON.stringify({ bytes, before, after, rested }));
await store.close();
