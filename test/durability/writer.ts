import { createHash } from 'node:crypto';
import type { Engine } from '../../runtime/storage/kv/engine.ts';
import { openLmdbEngine } from '../../runtime/storage/lmdb/lmdb-engine.ts';

/**
 * A process to be killed: `writer.ts DIR SEED` writes to the store in DIR with 64 concurrent writers. It prints each
 * acknowledged write as `KEY REVISION VALUE`; VALUE is its counter, or "-" for a delete. It compacts continuously.
 */

const [dir, seed] = process.argv.slice(2);
const engine = await openLmdbEngine({ path: dir });
let counter = Number(seed) * 1_000_000;

const writers = Array.from({ length: 64 }, (_, writer) => writeForEver(engine, writer));
await Promise.all([...writers, compactForEver(engine)]);

/** Compacts continuously, so that some kills happen during a compaction. The last thousand revisions stay. */
async function compactForEver(engine: Engine): Promise<never> {
  for (;;) {
    if (engine.revision() > 1000) await engine.compact(engine.revision() - 1000);
    await new Promise(setImmediate);
  }
}

async function writeForEver(engine: Engine, writer: number): Promise<never> {
  for (let round = 0; ; round += 1) {
    // Half of the keys have one writer; the others are shared.
    const key = `/registry/pods/ns/${round % 2 === 0 ? `own-${writer}-${round % 6}` : `shared-${round % 10}`}`;
    counter += 1;
    const mine = counter;
    const result =
      round % 7 === 6
        ? await engine.write({ type: 'delete', key, expect: 'any' })
        : await engine.write({ type: 'put', key, value: payload(mine), expect: 'any' });
    if (result.ok) {
      process.stdout.write(`${key} ${result.change.revision} ${result.change.type === 'put' ? mine : '-'}\n`);
    }
  }
}

/** Returns a value of varying size whose completeness can be checked. */
function payload(counter: number): Uint8Array {
  const pad = String(counter).repeat(10 + (counter % 400));
  const sum = createHash('sha256').update(pad).digest('hex');
  return Buffer.from(JSON.stringify({ counter, sum, pad }));
}
