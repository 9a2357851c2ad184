import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeUnless } from '../../support/skipping.ts';
import { type Report, Tally, writeReport } from '../reports/tally.ts';
import { type Cluster, clientCluster, ownCluster, referenceCluster } from './cluster.ts';
import { differencesOf } from './end-state.ts';
import { unexpected } from './known-problems.ts';
import { missingControllers } from './program.ts';
import { type Outcome, play } from './run.ts';

const minutes = Number(process.env.MINUTES || 1);
const seed = Number(process.env.SEED || Date.now() % 1_000_000);

describeUnless(missingControllers)(`${minutes} minutes of random workloads (SEED=${seed})`, () => {
  let clusters: readonly Cluster[] = [];
  let outcome: Outcome;

  beforeAll(
    async () => {
      clusters = await Promise.all([referenceCluster(), ownCluster(), clientCluster()]);
      outcome = await play(clusters, seed, minutes * 60_000);
    },
    minutes * 60_000 + 240_000,
  );
  afterAll(async () => {
    for (const cluster of clusters) await cluster.stop();
    if (outcome !== undefined) await writeReport(reportOf(outcome));
  }, 60_000);

  test('are answered with the same status codes', () => {
    expect(outcome.answers).toEqual([]);
  });

  test('give the controllers of Kubernetes no errors here that they do not have beside kube-apiserver', () => {
    const [reference, own] = outcome.problems;
    expect(unexpected(own, reference)).toEqual([]);
  });

  test('give the controllers of kubeloom no errors as clients of kube-apiserver', () => {
    const [, , client] = outcome.problems;
    expect(unexpected(client, [])).toEqual([]);
  });

  test('end in the same state with the controllers of Kubernetes', () => {
    const [reference, own] = outcome.endStates;
    expect(differencesOf(reference, own)).toEqual([]);
  });

  test('end in the same state with the controllers of kubeloom as clients of kube-apiserver', () => {
    const [reference, , client] = outcome.endStates;
    expect(differencesOf(reference, client)).toEqual([]);
  });
});

/** Counts steps, and the objects at the end. */
function reportOf({ steps, answers, endStates: [reference, own, client] }: Outcome): Report {
  const tally = new Tally();
  const count = (feature: string, all: number, different: number): void => {
    tally.count(feature, 'different', different);
    tally.count(feature, 'equal', all - different);
  };
  count('answers to the steps', steps, answers.length);
  count('objects at the end, by the controllers of Kubernetes', reference.length, differencesOf(reference, own).length);
  count('objects at the end, by the controllers of Kubeloom', reference.length, differencesOf(reference, client).length);
  return {
    source: 'random workloads under controllers',
    command: `make test-reference-controllers MINUTES=${minutes} SEED=${seed}`,
    version: 'v1.35.0',
    features: tally.features(),
  };
}
