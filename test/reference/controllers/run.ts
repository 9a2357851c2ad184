import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { Random } from '../../support/random.ts';
import type { Cluster } from './cluster.ts';
import { type EndState, endStateOf } from './end-state.ts';
import type { LogLine } from './program.ts';
import { type Step, Workload } from './workload.ts';

/** The outcome of the same steps in several clusters. */
export interface Outcome {
  readonly steps: number;
  /** By cluster, in order. */
  readonly endStates: readonly EndState[];
  readonly problems: readonly (readonly LogLine[])[];
  /** Steps that the clusters have answered with different codes. */
  readonly answers: readonly string[];
}

/** Milliseconds for an object that a step waits for, and for the clusters to come to rest. */
const patience = 60_000;
const pauseMs = 20;

/** Plays random steps for some time, waits until the clusters come to rest, and reads their states. */
export async function play(clusters: readonly Cluster[], seed: number, ms: number): Promise<Outcome> {
  const workload = new Workload(new Random(seed));
  const random = new Random(seed + 1);
  const players = clusters.map((cluster) => new Player(cluster));
  const answers: string[] = [];
  let steps = 0;
  const send = async (step: Step): Promise<void> => {
    steps++;
    const codes = await Promise.all(players.map((player) => player.send(step)));
    if (new Set(codes).size > 1) answers.push(`${step.method} ${step.path} ${JSON.stringify(step.body) ?? ''}: ${codes.join(', ')}`);
  };
  for (const step of workload.start()) await send(step);
  const end = Date.now() + ms;
  while (Date.now() < end) {
    for (const step of workload.next()) await send(step);
    await setTimeout(random.between(0, 20) * pauseMs);
  }
  for (const step of workload.end()) await send(step);
  const endStates = await settled(clusters);
  return { steps, endStates, answers, problems: clusters.map((cluster) => cluster.problems()) };
}

/** Returns the states when they no longer change and are equal, or when they do not become equal. */
async function settled(clusters: readonly Cluster[]): Promise<readonly EndState[]> {
  const read = (): Promise<EndState[]> => Promise.all(clusters.map(({ http }) => endStateOf(http)));
  const end = Date.now() + patience;
  let states = await read();
  while (Date.now() < end) {
    await setTimeout(2000);
    const next = await read();
    const isEqual = next.every((state) => isDeepStrictEqual(state, next[0]));
    if (isEqual && isDeepStrictEqual(states, next)) return next;
    states = next;
  }
  return states;
}

/** Sends the steps to one cluster. */
class Player {
  readonly #cluster: Cluster;
  #uid = '';

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  /** Returns the status code. */
  async send({ method, path, body, contentType = 'application/json' }: Step): Promise<number> {
    const { http, name } = this.#cluster;
    if (method === 'WAIT') {
      for (const end = Date.now() + patience; Date.now() < end; await setTimeout(20)) {
        if ((await http.get(path)).status === 200) return 200;
      }
      const problems = this.#cluster.problems().map(({ text }) => `\n${text}`);
      throw new Error(`${name}: ${path} does not come to exist${problems.slice(0, 20).join('')}`);
    }
    const text = body === undefined ? undefined : JSON.stringify(body).replaceAll('{uid}', this.#uid);
    const { status, json } = await http.send(method, path, text, text === undefined ? undefined : contentType);
    if (method === 'POST') this.#uid = json.metadata?.uid ?? '';
    return status;
  }
}
