import { parseArgs } from 'node:util';
import { fillStore } from './pod-stores.ts';
import { Report } from './report.ts';
import { admissionCost, idleWebhookCost } from './scenarios/admission-cost.ts';
import { attacks } from './scenarios/attacks.ts';
import { auditCost } from './scenarios/audit-cost.ts';
import { authorizationCost } from './scenarios/authorization-cost.ts';
import { create } from './scenarios/create.ts';
import { elephantAndMouse } from './scenarios/elephant-and-mouse.ts';
import { fairnessCost } from './scenarios/fairness-cost.ts';
import { fanOut } from './scenarios/fan-out.ts';
import { largeBodies } from './scenarios/large-bodies.ts';
import { list, namespaces } from './scenarios/list.ts';
import { longLists, longPods } from './scenarios/long-lists.ts';
import { memory } from './scenarios/memory.ts';
import { policiesCost } from './scenarios/policies-cost.ts';
import { read } from './scenarios/read.ts';
import { start } from './scenarios/start.ts';
import { startWithObjects } from './scenarios/start-with-objects.ts';
import { watch } from './scenarios/watch.ts';
import { webhookCall } from './scenarios/webhook-call.ts';
import { writes } from './scenarios/writes.ts';
import { startKubeloom, startLimit, type Target } from './target.ts';

/** Scenarios with a server with pods and a bare server. */
const withPods: Record<string, (report: Report, server: Target, limit: Target) => Promise<void>> = {
  read,
  list,
  long: longLists,
  create,
  watch,
  fanout: fanOut,
};
/**
 * Scenarios that start their own processes, or none. Some load rooms of the server into this process, so they load on
 * request.
 */
const alone: Record<string, (report: Report) => Promise<void>> = {
  start,
  objects: startWithObjects,
  memory,
  fairness: fairnessCost,
  audit: auditCost,
  authorization: authorizationCost,
  admission: admissionCost,
  policies: policiesCost,
  webhooks: idleWebhookCost,
  webhookcall: webhookCall,
  overload: elephantAndMouse,
  bodies: largeBodies,
  attacks,
  codec: async (to) => (await import('./scenarios/codec.ts')).codec(to),
  validation: async (to) => (await import('./scenarios/validation.ts')).validation(to),
  expressions: async (to) => (await import('./scenarios/expressions.ts')).expressions(to),
  simulation: async (to) => (await import('./scenarios/simulation.ts')).simulation(to),
  writes,
  compaction: async (to) => (await import('./scenarios/compaction.ts')).compaction(to),
  durable: async (to) => (await import('./scenarios/durable.ts')).durable(to),
  servers: async (to) => (await import('./scenarios/servers.ts')).servers(to),
  forks: async (to) => (await import('./scenarios/forks.ts')).forksAndResets(to),
  corpus: async (to) => (await import('./scenarios/corpus.ts')).corpus(to),
  kinds: async (to) => (await import('./scenarios/kinds.ts')).kinds(to),
  crds: async (to) => (await import('./scenarios/crds.ts')).crds(to),
  scheduler: async (to) => (await import('./scenarios/scheduler.ts')).scheduler(to),
  workloads: async (to) => (await import('./scenarios/workloads.ts')).workloads(to),
};

const names = [...Object.keys(alone), ...Object.keys(withPods)];
const { values } = parseArgs({ options: { only: { type: 'string' } } });
const chosen = values.only?.split(',') ?? names;
const unknown = chosen.filter((name) => !names.includes(name));
if (unknown.length > 0) throw new Error(`--only takes some of ${names.join(',')}; not ${unknown.join(',')}`);

const report = new Report();
for (const name of chosen) await timed(name, alone[name]?.(report));
if (chosen.some((name) => withPods[name] !== undefined)) {
  const { folder } = await fillStore('lmdb', { ...namespaces, long: longPods });
  const server = await startKubeloom(['--storage=lmdb'], { folder, isMeasured: true });
  const limit = await startLimit(server);
  try {
    for (const name of chosen) await timed(name, withPods[name]?.(report, server, limit));
  } finally {
    await limit.close();
    await server.close();
  }
}
report.print();

/** Prints the duration of a scenario: all together should take a few minutes. */
async function timed(name: string, running: Promise<void> | undefined): Promise<void> {
  if (running === undefined) return;
  const started = performance.now();
  await running;
  console.error(`${name}: ${Math.round((performance.now() - started) / 1000)} s`);
}
