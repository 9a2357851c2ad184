import type { PodDisruptionBudget } from '../../../../generated/v1.35/policy/v1/types.ts';
import { elementAt } from '../../../machinery/collections/element-at.ts';
import { endOfSlice, yieldToEventLoop } from '../../../machinery/event-loop/yield.ts';
import { type Diagnosis, fitErrorMessage, statusOfNode, unschedulableNodes } from '../framework/fit-error.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import type { Nodes, PodFilter } from '../framework/plugin.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import { cloneFilters, type PodFilters } from '../framework/profile.ts';
import type { Status } from '../framework/status.ts';
import { type Nominator, nominatedNodeName } from '../queue/nominator.ts';
import { areVictims, selectVictimsOnNode, startOf, type Victims } from './select-victims.ts';

export interface EvaluatorOptions {
  readonly nodes: Nodes;
  readonly nominator: Pick<Nominator, 'podsOf'>;
  readonly random: () => number;
  readonly budgets: { list(): Iterable<PodDisruptionBudget> };
}

/** The pods to evict, or the reason why preemption does not help. */
export type PreemptionResult = Victims | { readonly message: string; readonly clearsNomination: boolean };

/** Milliseconds of searching nodes before the event loop gets a turn. */
const sliceMs = 5;
const minCandidateNodesPercentage = 10;
const minCandidateNodesAbsolute = 100;
const notHelpful: Status = {
  code: 'UnschedulableAndUnresolvable',
  reasons: ['Preemption is not helpful for scheduling'],
};

/**
 * Finds less important pods to evict so that a pod fits. (pkg/scheduler/framework/preemption,
 * plugins/defaultpreemption)
 */
export class Evaluator {
  readonly #options: EvaluatorOptions;

  constructor(options: EvaluatorOptions) {
    this.#options = options;
  }

  /** Returns a promise if nodes must be searched. The search gives turns to the event loop. */
  preempt(pod: PodInfo, diagnosis: Diagnosis, { filters }: PodFilters): PreemptionResult | Promise<PreemptionResult> {
    const reason = this.#ineligible(pod, diagnosis);
    if (reason !== undefined) return { message: `preemption: ${reason}`, clearsNomination: false };
    const all = this.#options.nodes.list();
    const potential = unschedulableNodes(diagnosis, all);
    return potential.length === 0 ? unhelpful(all.length, new Map()) : this.#dryRun(pod, potential, filters);
  }

  /** (PodEligibleToPreemptOthers) */
  #ineligible({ pod, priority }: PodInfo, diagnosis: Diagnosis): string | undefined {
    if (pod.spec?.preemptionPolicy === 'Never') return 'not eligible due to preemptionPolicy=Never.';
    const nominated = nominatedNodeName(pod);
    if (nominated === '' || statusOfNode(diagnosis, nominated).code === 'UnschedulableAndUnresolvable') return undefined;
    const pods = [...(this.#options.nodes.get(nominated)?.pods.values() ?? [])];
    const isLeaving = pods.some((other) => other.priority < priority && isTerminatingByPreemption(other));
    return isLeaving ? 'not eligible due to a terminating pod on the nominated node.' : undefined;
  }

  /** Searches nodes from a random one on, until there are enough candidates. (DryRunPreemption) */
  async #dryRun(pod: PodInfo, potential: readonly NodeInfo[], filters: readonly PodFilter[]): Promise<PreemptionResult> {
    const { nodes, nominator, random } = this.#options;
    const budgets = [...this.#options.budgets.list()];
    const wanted = numCandidates(potential.length);
    const offset = Math.floor(random() * potential.length);
    const statuses = new Map<string, Status>();
    const nonViolating: Victims[] = [];
    const violating: Victims[] = [];
    let end = endOfSlice(sliceMs);
    for (let i = 0; i < potential.length; i++) {
      if (performance.now() > end) {
        await yieldToEventLoop();
        end = endOfSlice(sliceMs);
      }
      const node = elementAt(potential, (offset + i) % potential.length).clone();
      const nominated = nominator.podsOf(node.name);
      const result = selectVictimsOnNode(pod, node, cloneFilters(filters), { budgets, nominated });
      if (!areVictims(result)) statuses.set(node.name, result);
      else if (result.pods.length > 0) (result.numPDBViolations === 0 ? nonViolating : violating).push(result);
      if (nonViolating.length > 0 && nonViolating.length + violating.length >= wanted) break;
    }
    const candidates = [...nonViolating, ...violating];
    return candidates.length > 0 ? selectCandidate(candidates) : unhelpful(nodes.list().length, statuses);
  }
}

function unhelpful(numAllNodes: number, nodeToStatus: ReadonlyMap<string, Status>): PreemptionResult {
  const failure = { nodeToStatus, absentNodesStatus: notHelpful, unschedulablePlugins: new Set<never>() };
  const message = fitErrorMessage(numAllNodes, { ...failure, preFilterMsg: '' });
  return { message: `preemption: ${message}`, clearsNomination: true };
}

/** (calculateNumCandidates) */
function numCandidates(numNodes: number): number {
  const share = Math.trunc((numNodes * minCandidateNodesPercentage) / 100);
  return Math.min(numNodes, Math.max(minCandidateNodesAbsolute, share));
}

const isTerminatingByPreemption = ({ pod: { metadata, status } }: PodInfo): boolean =>
  metadata.deletionTimestamp !== undefined &&
  status?.conditions?.find(({ type }) => type === 'DisruptionTarget')?.reason === 'PreemptionByScheduler';

/**
 * Returns the candidate with, in this order: the fewest violated budgets; the lowest highest priority; the lowest sum
 * of priorities; the fewest pods; the latest start of the most important pods; the first place.
 * (pickOneNodeForPreemption)
 */
function selectCandidate(candidates: readonly Victims[]): Victims {
  const keys: ((victims: Victims) => number)[] = [
    ({ numPDBViolations }) => numPDBViolations,
    ({ pods }) => pods[0]?.priority ?? 0,
    ({ pods }) => pods.reduce((sum, { priority }) => sum + priority + 2 ** 31, 0),
    ({ pods }) => pods.length,
    ({ pods }) => -earliestStart(pods),
  ];
  let best = candidates;
  for (const key of keys) {
    const least = Math.min(...best.map(key));
    best = best.filter((victims) => key(victims) === least);
    if (best.length === 1) break;
  }
  return elementAt(best, 0);
}

/** Returns the earliest start among the pods with the highest priority. (GetEarliestPodStartTime) */
function earliestStart(pods: readonly PodInfo[]): number {
  const [first] = pods;
  return Math.min(...pods.filter((pod) => pod.priority === first?.priority).map(startOf));
}
