import { cpSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Engine } from '../../runtime/storage/kv/engine.ts';
import { checkStore } from '../../runtime/storage/lmdb/check-store.ts';
import { openLmdbEngine } from '../../runtime/storage/lmdb/lmdb-engine.ts';
import { repairStore } from '../../runtime/storage/lmdb/repair-store.ts';

/**
 * A process that damaged stores may crash. It reads the folder of a store from each line of stdin, and responds with a
 * DamageReport as a line of JSON.
 */

/** The contents of a store as a server reads them. Values are texts; lost objects are null. */
export interface StoreContent {
  readonly revision: number;
  readonly values: Readonly<Record<string, string | null>>;
}

export interface DamageReport {
  /** The contents of the opened store, or the reason of a refusal. */
  readonly opened: StoreContent | string;
  /** The output of `store check`. */
  readonly problems: readonly string[];
  /** The contents after `store check --repair`, or the reason of a refusal. */
  readonly repaired: (StoreContent & { readonly losses: readonly string[] }) | string;
}

for await (const dir of createInterface(process.stdin)) {
  const copy = `${dir}-opened`;
  cpSync(dir, copy, { recursive: true });
  const opened = await attempt(() => contentOf(copy));
  const problems = await attempt(async () => (await checkStore(dir)).problems);
  const repaired = await attempt(async () => {
    const { losses } = await repairStore(dir);
    return { ...(await contentOf(dir)), losses };
  });
  for (const used of [dir, copy]) rmSync(used, { recursive: true, force: true });
  const report: DamageReport = { opened, problems: typeof problems === 'string' ? [problems] : problems, repaired };
  process.stdout.write(`${JSON.stringify(report)}\n`);
}

async function attempt<T>(work: () => Promise<T>): Promise<T | string> {
  try {
    return await work();
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    return `${code}: ${message}`;
  }
}

/** Opens, reads and changes a store like a server. */
async function contentOf(path: string): Promise<StoreContent> {
  const engine = await openLmdbEngine({ path, unsafeNoFsync: true });
  try {
    const revision = engine.revision();
    const { items } = await engine.range('/', '0');
    const values = items.map(({ key, value, transformError }) => {
      return [key, transformError === undefined ? Buffer.from(value).toString() : null];
    });
    for (const [key] of values.slice(0, 20)) await engine.get(key as string);
    await readHistory(engine);
    await engine.write({ type: 'put', key: '/new', value: Buffer.from('{}'), expect: 'any' });
    for (const { key } of items.slice(0, 10)) await engine.write({ type: 'delete', key, expect: 'any' });
    await engine.compact(engine.revision());
    return { revision, values: Object.fromEntries(values) };
  } finally {
    await engine.close();
  }
}

async function readHistory(engine: Engine): Promise<void> {
  for (let last = engine.compactedRevision() + 1; last < engine.revision(); ) {
    try {
      const changes = await engine.changes(last, 100);
      last = changes[changes.length - 1].revision;
    } catch (error) {
      if ((error as { code?: string }).code !== 'compacted') throw error;
      last = engine.compactedRevision() + 1;
    }
  }
}
