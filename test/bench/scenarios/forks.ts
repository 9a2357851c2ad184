import { type RunningServer, startServer } from '../../../runtime/index.ts';
import { collect } from '../../support/collect.ts';
import { percentile, type Report } from '../report.ts';

const objects = 10_000;
const forks = 1000;
/** The number of open forks for the memory measurement. */
const kept = 200;
const changed = 100;
const resets = 50;

/** Measures a test's own server with 10,000 objects: forks, each changed and checked, and resets. */
export async function forksAndResets(report: Report): Promise<void> {
  const server = await startServer({ disableAdmissionPlugins: ['ServiceAccount'] });
  for (let at = 0; at < objects; at += 100) {
    await Promise.all(Array.from({ length: 100 }, (_, index) => create(server, `c-${at + index}`)));
  }
  for (let at = 0; at < 50; at += 1) await (await changedFork(server, `warm-${at}`)).close();

  const before = memory();
  const times: number[] = [];
  const open: RunningServer[] = [];
  for (let at = 0; at < forks; at += 1) {
    const start = performance.now();
    const fork = await changedFork(server, `f-${at}`);
    times.push(performance.now() - start);
    if (at < kept) open.push(fork);
    if (at === kept - 1) {
      const each = (memory() - before) / kept / 1024;
      report.row(`memory of a fork of a server with ${objects} objects`, `${each.toFixed(0)} KiB`, '', 'at most 300 KiB');
    }
    await check(fork, `f-${at}`);
    if (at >= kept) await fork.close();
  }
  for (const [at, fork] of open.entries()) await check(fork, `f-${at}`);
  await Promise.all(open.map((fork) => fork.close()));
  times.sort((a, b) => a - b);
  for (const [share, name] of [
    [0.5, 'half of them'],
    [0.99, '99%'],
  ] as const) {
    const what = `a fork of ${objects} objects, with a write and a read, ${forks} of them: ${name}`;
    report.row(what, `${percentile(times, share).toFixed(1)} ms`, '', 'at most 20 ms');
  }
  await timeResets(server, report);
  await server.close();
}

async function timeResets(server: RunningServer, report: Report): Promise<void> {
  const fork = await server.fork({ listen: false });
  const times: number[] = [];
  for (let round = 0; round < resets; round += 1) {
    for (let at = 0; at < changed; at += 1) await create(fork, `r-${round}-${at}`);
    const start = performance.now();
    await fork.reset();
    times.push(performance.now() - start);
  }
  await fork.close();
  times.sort((a, b) => a - b);
  const what = `a reset of a server with ${objects} objects after ${changed} writes`;
  report.row(what, `${percentile(times, 0.5).toFixed(1)} ms`, '', 'at most 10 ms');
}

const path = '/api/v1/namespaces/default/configmaps';

async function create(server: RunningServer, name: string): Promise<void> {
  const body = JSON.stringify({ metadata: { name }, data: { text: 'x'.repeat(300) } });
  const headers = { 'content-type': 'application/json' };
  const { status } = await server.fetch(path, { method: 'POST', body, headers });
  if (status !== 201) throw new Error(`a create was answered with ${status}`);
}

/** Returns a fork with one additional object, after reading it. */
async function changedFork(server: RunningServer, name: string): Promise<RunningServer> {
  const fork = await server.fork({ listen: false });
  await create(fork, name);
  await check(fork, name);
  return fork;
}

/** Checks that a fork has its own object and those of its origin, and no others. */
async function check(fork: RunningServer, name: string): Promise<void> {
  const response = await fork.fetch(`${path}?limit=1&continue=`);
  const list = (await response.json()) as { items: object[]; metadata: { remainingItemCount?: number } };
  // kube-root-ca.crt, and the fork's own object
  const count = list.items.length + (list.metadata.remainingItemCount ?? 0);
  if (count !== objects + 2) throw new Error(`a fork has ${count} objects`);
  if ((await fork.fetch(`${path}/${name}`)).status !== 200) throw new Error(`a fork lacks ${name}`);
}

function memory(): number {
  for (let pass = 0; pass < 3; pass += 1) collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
