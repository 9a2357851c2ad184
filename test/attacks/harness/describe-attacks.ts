import { execFileSync } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { root } from '../../bench/target.ts';
import type { Attacks } from './attack.ts';
import { AttackedServer, type Holding } from './attacked-server.ts';
import { complaints } from './verdict.ts';

/** The allowed growth since before the first row: V8 keeps some memory, and the last sockets may still be closing. */
const mebibyte = 2 ** 20;
const memoryMore = 150 * mebibyte;
const descriptorsMore = 8;
/** Milliseconds until memory and descriptors must be released: V8 shrinks its heap within two minutes, later on a busy machine. */
const back = 120_000;

/** Runs the rows on one server one after the other, then checks its remaining resources. */
export function describeAttacks(attacks: Attacks): void {
  describe(attacks.title, () => {
    let server: AttackedServer;
    beforeAll(async () => {
      // the attacks need dist/; this does nothing if it is current
      execFileSync(process.execPath, ['codegen/build/build.mjs', '--no-types'], { cwd: root, stdio: 'pipe' });
      server = await AttackedServer.open(attacks);
    }, 120_000);
    afterAll(() => server?.close());

    test.each(attacks.rows)('$name', async (row) => {
      expect(complaints(row, await server.attack(row))).toEqual([]);
    });

    test('memory and file descriptors are released after all rows', async () => {
      const { before } = server;
      const isBack = ({ memory, descriptors }: Holding): boolean =>
        memory <= before.memory + memoryMore && descriptors <= before.descriptors + descriptorsMore;
      let after = await server.holding();
      for (const deadline = performance.now() + back; !isBack(after) && performance.now() < deadline; ) {
        await setTimeout(500);
        after = await server.holding();
      }
      const inMebibytes = ({ memory }: Holding): number => Math.round(memory / mebibyte);
      expect(inMebibytes(after)).toBeLessThanOrEqual(inMebibytes(before) + memoryMore / mebibyte);
      expect(after.descriptors).toBeLessThanOrEqual(before.descriptors + descriptorsMore);
    });
  });
}
