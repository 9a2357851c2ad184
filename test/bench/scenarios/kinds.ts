import { KubeApiserver, missingKubeApiserver } from '../../support/kube-apiserver.ts';
import { type Bodies, type Cost, changeCount, measureRow, measureWatches, type Subject, subjectOf, watcherCount } from '../kind-costs.ts';
import { kindRows, prepareKinds } from '../kind-rows.ts';
import type { Report } from '../report.ts';
import { startKubeloom, startLimit } from '../target.ts';

/** How often each server is started. The rows are medians. */
const starts = 3;
const phases = ['young', 'warm'] as const;
const opening = `open ${watcherCount} watches, each`;
const changing = `change seen by ${watcherCount} watches, each of ${changeCount}`;

/** The costs of each start, by row and phase. */
class Costs {
  readonly #costs = new Map<string, Cost[]>();

  keep(name: string, cost: Cost): void {
    const existing = this.#costs.get(name);
    if (existing === undefined) this.#costs.set(name, [cost]);
    else existing.push(cost);
  }

  median(name: string): Cost | undefined {
    const costs = this.#costs.get(name);
    if (costs === undefined) return undefined;
    const middle = (of: keyof Cost): number => costs.map((cost) => cost[of]).sort((a, b) => a - b)[costs.length >> 1];
    return { processor: middle('processor'), wall: middle('wall') };
  }
}

/**
 * Measures requests about built-in kinds in the encodings of client-go and kubectl, of a young process and of a warm one. Beside
 * a bare server with the same bytes, and beside kube-apiserver with its etcd where KUBE_HOME names a folder with its programs.
 */
export async function kinds(report: Report): Promise<void> {
  const [ours, bare, theirs] = [new Costs(), new Costs(), new Costs()];
  for (let start = 0; start < starts; start++) {
    await measureOurs(ours, bare);
    if (missingKubeApiserver === undefined) await measureTheirs(theirs);
  }
  if (missingKubeApiserver !== undefined) console.error(`  kinds: without kube-apiserver: ${missingKubeApiserver}`);
  for (const name of [...kindRows.map((row) => row.name), opening, changing]) {
    for (const phase of phases) write(report, `${name}: ${phase}`, ours, bare, theirs);
  }
}

function write(report: Report, name: string, ours: Costs, bare: Costs, theirs: Costs): void {
  const [own, limit, other] = [ours.median(name), bare.median(name), theirs.median(name)];
  if (own === undefined || limit === undefined) return;
  const times = other && (other.processor / own.processor).toFixed(1);
  const peer = other === undefined ? '' : `; ${text(other)} (kube-apiserver and etcd, ${times} x)`;
  report.row(name, text(own), `${text(limit)} (bare node:https)${peer}`, '');
}

/** Returns the processor time and the wall time. */
const text = ({ processor, wall }: Cost): string => `${ms(processor)} (${ms(wall)})`;
const ms = (value: number): string => `${value.toFixed(value < 1 ? 3 : value < 10 ? 2 : 0)} ms`;

async function measureOurs(ours: Costs, bare: Costs): Promise<void> {
  const server = await startKubeloom(['--storage=memory']);
  const limit = await startLimit(server);
  const bodies: Bodies = new Map();
  try {
    await measure(subjectOf(server), ours, bodies);
    await measure(subjectOf(limit, true), bare, bodies);
  } finally {
    await limit.close();
    await server.close();
  }
}

async function measureTheirs(theirs: Costs): Promise<void> {
  const server = await KubeApiserver.start();
  const { caCertificate: ca, clientCertificate: cert, clientKey: key, pids } = server;
  try {
    const credentials = { host: '127.0.0.1', port: Number(new URL(server.url).port), ca, cert, key };
    await measure({ credentials, pids }, theirs, new Map());
  } finally {
    await server.stop();
  }
}

async function measure(subject: Subject, costs: Costs, bodies: Bodies): Promise<void> {
  if (!subject.isBare) await prepareKinds(subject.credentials);
  for (const phase of phases) {
    for (const row of kindRows) costs.keep(`${row.name}: ${phase}`, await measureRow(subject, row, bodies));
    const { open, change } = await measureWatches(subject, bodies);
    costs.keep(`${opening}: ${phase}`, open);
    costs.keep(`${changing}: ${phase}`, change);
  }
}
