import { setTimeout } from 'node:timers/promises';
import { startKubeloom, type Target } from '../bench/target.ts';
import { HttpClient } from '../support/http-client.ts';
import { Random } from '../support/random.ts';
import { compare, print } from './held.ts';
import { type Role, roles } from './roles/index.ts';
import { sweep } from './sweep.ts';
import { World } from './world.ts';

const minutes = Number(process.env.MINUTES || 10);
const seed = Number(process.env.SEED || Date.now() % 1_000_000);
/** Loads code, compiles hot functions, and fills caches: 5 to 60 seconds. */
const warmUpSeconds = Math.min(60, Math.max(5, minutes * 6));
/** Milliseconds until everything must be released. V8 returns pages late. */
const back = 90_000;

console.log(`soak: ${minutes} minutes, SEED=${seed}`);
const server = await startKubeloom(['--storage=lmdb', '--unsafe-no-fsync', '--compaction-window=2s'], {
  isMeasured: true,
});
let isRight = false;
try {
  await soak(server, new Random(seed), warmUpSeconds * 1000);
  const before = await server.ask('held');
  const counts = await soak(server, new Random(seed + 1), minutes * 60_000);
  let after = await server.ask('held');
  for (const deadline = performance.now() + back; !compare(before, after) && performance.now() < deadline; ) {
    await setTimeout(2_000);
    after = await server.ask('held');
  }
  print(counts, before, after);
  const failures = counts.reduce((sum, { failed }) => sum + failed, 0);
  isRight = compare(before, after) && failures === 0;
} finally {
  await server.close();
}
process.exitCode = isRight ? 0 : 1;

/** Runs all roles concurrently for the given time, then deletes their objects. */
async function soak(target: Target, random: Random, ms: number): Promise<World[]> {
  const worlds = await Promise.all(
    Object.entries(roles).map(async ([name, role]) => {
      const world = new World(name, target.credentials, new Random(random.between(0, 2 ** 31)));
      await play(world, role, performance.now() + ms);
      return world;
    }),
  );
  const client = HttpClient.for(placeOf(target));
  await sweep(client);
  client.close();
  return worlds;
}

async function play(world: World, role: Role, until: number): Promise<void> {
  try {
    while (performance.now() < until) {
      try {
        await role(world);
        world.done++;
      } catch (error) {
        world.fail(error as Error);
        await setTimeout(50);
      }
    }
  } finally {
    world.close();
  }
}

function placeOf({ credentials }: Target): Parameters<typeof HttpClient.for>[0] {
  const { host, port, ca, cert, key } = credentials;
  return { url: `https://${host}:${port}`, caCertificate: ca, clientCertificate: cert, clientKey: key };
}
