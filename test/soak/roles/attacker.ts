import { setTimeout } from 'node:timers/promises';
import { exchange } from '../../attacks/harness/exchange.ts';
import { tables } from '../../attacks/rows/index.ts';
import type { World } from '../world.ts';

/** Rows without special requirements for the server. test/attacks checks their responses. */
const rows = tables
  .filter(({ setup = [], objects = [], flags = [] }) => setup.length + objects.length + flags.length === 0)
  .flatMap((table) => table.rows)
  // these leave objects behind
  .filter(({ name }) => !name.includes('that is kept'));

export async function attacker({ credentials, random }: World): Promise<void> {
  const { send, streams } = random.pick(rows);
  const limit = AbortSignal.timeout(30_000);
  await exchange(credentials, send(), streams, limit).catch(() => {});
  await setTimeout(50);
}
