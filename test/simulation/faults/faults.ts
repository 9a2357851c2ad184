import { setTimeout } from 'node:timers/promises';
import type { CutProxy, Direction } from '../../support/cut-proxy.ts';
import type { EtcdCluster } from '../../support/etcd.ts';
import type { ListeningProcess } from '../../support/listening-process.ts';
import type { Random } from '../../support/random.ts';
import type { History } from './history.ts';
import type { FaultyServer, World } from './world.ts';

/** The time in which etcd must respond again. */
const askTimeoutMs = 30_000;

/** A failure for some hundred milliseconds. Its promise resolves when it is over. */
export interface Fault {
  readonly name: string;
  /** The affected part. No other fault may affect it meanwhile. */
  readonly of: 'server' | 'member' | 'connection' | 'disk';
  run(world: World, random: Random, history: History): Promise<void>;
}

const briefly = (random: Random): Promise<void> => setTimeout(random.between(50, 600));
const aServer = ({ servers }: World, random: Random): FaultyServer => random.pick(servers);

const ofServers: readonly Fault[] = [
  { name: 'SIGSTOP of a server', of: 'server', run: (world, random) => pause(aServer(world, random).process, random) },
  {
    name: 'a server whose clock jumps',
    of: 'server',
    async run(world, random) {
      const { process } = aServer(world, random);
      const ms = random.pick([-1, 1]) * random.pick([500, 10_000, 240_000]);
      process.jump(ms);
      await briefly(random);
      if (random.chance(0.5)) process.jump(-ms);
    },
  },
  ...ofConnections('clients and a server', (world, random) => aServer(world, random).front),
];

/** Faults for servers whose store survives them. */
const deadly: readonly Fault[] = [
  {
    name: 'kill -9 of a server',
    of: 'server',
    async run(world, random) {
      const server = aServer(world, random);
      await server.process.kill();
      if (random.chance(0.3)) await briefly(random);
      await server.restart();
    },
  },
  {
    name: 'SIGTERM of a server',
    of: 'server',
    async run(world, random) {
      const server = aServer(world, random);
      await server.process.kill('SIGTERM');
      await server.restart();
    },
  },
];

const ofEtcd: readonly Fault[] = [
  {
    name: 'kill -9 of a member',
    of: 'member',
    run: (world, random) => killMember(random.pick(membersOf(world)), random),
  },
  {
    name: 'kill -9 of the leader',
    of: 'member',
    run: async (world, random) => killMember(await leaderOf(clusterOf(world)), random),
  },
  { name: 'SIGSTOP of a member', of: 'member', run: (world, random) => pause(random.pick(membersOf(world)), random) },
  {
    name: 'SIGSTOP of the leader',
    of: 'member',
    run: async (world, random) => pause(await leaderOf(clusterOf(world)), random),
  },
  {
    name: 'kill -9 of all members',
    of: 'member',
    async run(world, random) {
      await Promise.all(membersOf(world).map((member) => member.kill()));
      if (random.chance(0.5)) await briefly(random);
      await Promise.all(membersOf(world).map((member) => member.start()));
    },
  },
  {
    name: 'compaction of what a server has not seen',
    of: 'connection',
    async run(world, random, history) {
      const { backs } = aServer(world, random);
      for (const back of backs) back.cut();
      if (world.servers.length > 1) await Promise.race([history.progress('answers', 20), setTimeout(2000)]);
      await compact(clusterOf(world)).finally(() => {
        for (const back of backs) back.release();
      });
    },
  },
  ...ofConnections('a server and a member of etcd', (world, random) => random.pick(aServer(world, random).backs)),
  {
    name: 'no connection between a server and etcd',
    of: 'connection',
    async run(world, random) {
      const { backs } = aServer(world, random);
      for (const back of backs) back.cut();
      await briefly(random);
      for (const back of backs) back.release();
    },
  },
];

const ofDisks: readonly Fault[] = [
  {
    name: 'a full disk',
    of: 'disk',
    async run({ disk }, random, history) {
      disk?.fill();
      // compaction may free enough space for a while
      await Promise.race([history.progress('failures', random.between(1, 20)), setTimeout(2000)]);
      disk?.free();
    },
  },
];

/** Returns the possible faults; with FAULT=, only those whose name matches. */
function faultsOf(world: World): readonly Fault[] {
  return everyFaultOf(world).filter(({ name }) => new RegExp(process.env.FAULT ?? '').test(name));
}

function everyFaultOf({ engine, disk }: World): readonly Fault[] {
  if (disk !== undefined) return [...ofDisks, ...ofDisks, ...ofServers, ...deadly];
  if (engine === 'memory') return ofServers;
  if (engine === 'lmdb') return [...ofServers, ...deadly, ...deadly];
  return [...ofServers, ...deadly, ...ofEtcd];
}

/** Chooses one fault, or two compatible ones. */
export function chooseFaults(world: World, random: Random): readonly Fault[] {
  const [first, second] = [random.pick(faultsOf(world)), random.pick(faultsOf(world))];
  return second.of !== first.of && random.chance(0.4) ? [first, second] : [first];
}

function ofConnections(between: string, choose: (world: World, random: Random) => CutProxy): readonly Fault[] {
  return [
    {
      of: 'connection',
      name: `connections between ${between} cut`,
      async run(world, random) {
        const proxy = choose(world, random);
        proxy.cut();
        await briefly(random);
        proxy.release();
      },
    },
    {
      of: 'connection',
      name: `connections between ${between} half open`,
      async run(world, random) {
        const proxy = choose(world, random);
        const directions = random.pick<readonly Direction[]>([['requests'], ['responses'], ['requests', 'responses']]);
        for (const direction of directions) proxy.hold(direction);
        await briefly(random);
        if (random.chance(0.5)) proxy.reset();
        for (const direction of directions) proxy.let(direction);
      },
    },
    {
      of: 'connection',
      name: `connections between ${between} slow`,
      async run(world, random) {
        const proxy = choose(world, random);
        const ms = random.between(5, 100);
        proxy.delay('requests', ms);
        proxy.delay('responses', ms);
        await briefly(random);
        proxy.delay('requests', 0);
        proxy.delay('responses', 0);
      },
    },
  ];
}

async function pause(process: Pick<ListeningProcess, 'pause' | 'resume'>, random: Random): Promise<void> {
  process.pause();
  await (random.chance(0.2) ? setTimeout(2000) : briefly(random));
  process.resume();
}

async function killMember(member: ListeningProcess, random: Random): Promise<void> {
  await member.kill();
  await briefly(random);
  await member.start();
}

function clusterOf({ etcd }: World): EtcdCluster {
  if (etcd === undefined) throw new Error('this world has no etcd');
  return etcd;
}

const membersOf = (world: World): readonly ListeningProcess[] => clusterOf(world).members;

/** Returns the member that claims to lead, or any member without a leader. */
async function leaderOf({ members }: EtcdCluster): Promise<ListeningProcess> {
  const answers = members.map(async (member) => {
    const metrics = await fetch(`${member.url}/metrics`, { signal: AbortSignal.timeout(500) });
    if (!/^etcd_server_is_leader 1$/m.test(await metrics.text())) throw new Error('not the leader');
    return member;
  });
  return Promise.any(answers).catch(() => members[0]);
}

/** Makes the newest revision the oldest, through etcd's JSON API. */
async function compact(cluster: EtcdCluster): Promise<void> {
  const answer = await ask(cluster, '/v3/kv/range', { key: Buffer.from('/').toString('base64') });
  const { header } = (await answer.json()) as { header: { revision: string } };
  await ask(cluster, '/v3/kv/compaction', { revision: header.revision });
}

/** Returns the first response of a member, refusals included. Another fault may stop all members for a while. */
async function ask({ members }: EtcdCluster, path: string, body: object): Promise<Response> {
  const end = performance.now() + askTimeoutMs;
  for (;;) {
    try {
      return await Promise.any(members.map(({ url }) => post(`${url}${path}`, body)));
    } catch (error) {
      if (performance.now() > end) throw error;
      await setTimeout(50);
    }
  }
}

async function post(url: string, body: object): Promise<Response> {
  const answer = await fetch(url, { method: 'POST', body: JSON.stringify(body), signal: AbortSignal.timeout(2000) });
  // the member has no leader
  if (answer.status >= 500) throw new Error(await answer.text());
  return answer;
}
