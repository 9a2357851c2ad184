import type { Pod } from '../../../generated/v1.35/core/v1/types.ts';
import { isPodReady } from '../../kinds/core/pod/conditions.ts';
import { isPodLevelResourcesSet, podRequests } from '../../kinds/core/pod/resources.ts';
import type { Clock } from '../../machinery/clock.ts';
import { maxInt32 } from '../../machinery/scalars/integers.ts';
import { scaledQuantityValue } from '../../machinery/scalars/quantity.ts';
import { milliValue, type PodMetrics } from './metrics-client.ts';
import { groupPods } from './pod-groups.ts';

/** Allowed deviations of usage from its target that cause no scaling. */
export interface Tolerances {
  readonly scaleDown: number;
  readonly scaleUp: number;
}

/** The pods whose replicas are scaled. */
export interface ScaledPods {
  readonly pods: readonly Pod[];
  readonly currentReplicas: number;
  readonly tolerances: Tolerances;
}

/** The replica count that one metric proposes, and the metric's current value. */
export interface Proposal {
  readonly replicas: number;
  /** In thousandths. The average per pod, except for byValue, whose usage is the metric's one value. */
  readonly usage: number;
  /** Percent of the pods' requests. */
  readonly utilization?: number;
}

interface Ratio {
  readonly ratio: number;
  readonly usage: number;
  readonly utilization?: number;
}

const isWithin = (ratio: number, { scaleDown, scaleUp }: Tolerances): boolean => 1 - scaleDown <= ratio && ratio <= 1 + scaleUp;

/** Computes replicas from metrics. (pkg/controller/podautoscaler/replica_calculator.go) */
export class ReplicaCalculator {
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Proposes replicas from the utilization of the pods' requests.
   *
   * @param target percent
   * @throws Error
   */
  byUtilization(
    metrics: PodMetrics,
    scaled: ScaledPods,
    { target, resource, container }: { target: number; resource: string; container: string | undefined },
  ): Proposal {
    const requests = new Map<string, number>();
    const requestOf = (name: string): number => requests.get(name) ?? 0;
    const requestAll = (): void => {
      for (const pod of scaled.pods) requests.set(pod.metadata.name ?? '', requestedBy(pod, resource, container));
    };
    return this.#byPods(metrics, scaled, {
      resource,
      prepare: requestAll,
      ratioOf: (values) => utilizationRatio(values, requests, target),
      ifMissing: (name) => Math.trunc((requestOf(name) * Math.max(100, target)) / 100),
    });
  }

  /**
   * Proposes replicas from the average of a metric.
   *
   * @param target in thousandths
   * @param resource the resource, if the metric is of one
   * @throws Error
   */
  byAverage(metrics: PodMetrics, scaled: ScaledPods, target: number, resource = ''): Proposal {
    const ratioOf = (values: PodMetrics): Ratio => {
      const sum = [...values.values()].reduce((total, { value }) => total + value, 0);
      const usage = Math.trunc(sum / values.size);
      return { ratio: usage / target, usage };
    };
    return this.#byPods(metrics, scaled, { resource, prepare: () => undefined, ratioOf, ifMissing: () => target });
  }

  /**
   * Proposes replicas from one value for all pods together: scales the number of ready pods by usage / target.
   * (getUsageRatioReplicaCount)
   *
   * @throws Error
   */
  byValue(usage: number, target: number, { pods, currentReplicas, tolerances }: ScaledPods): Proposal {
    const ratio = usage / target;
    if (currentReplicas === 0) return { replicas: Math.ceil(ratio), usage };
    if (isWithin(ratio, tolerances)) return { replicas: currentReplicas, usage };
    if (pods.length === 0) throw new Error(`unable to calculate ready pods: ${noPods}`);
    const ready = pods.filter((pod) => pod.status?.phase === 'Running' && isPodReady(pod)).length;
    return { replicas: Math.min(maxInt32, Math.ceil(ratio * ready)), usage };
  }

  /** Proposes replicas from one value that the pods share: usage / target. */
  byShare(usage: number, target: number, statusReplicas: number, tolerances: Tolerances): Proposal {
    const isEnough = isWithin(usage / (target * statusReplicas), tolerances);
    const replicas = isEnough ? statusReplicas : Math.min(maxInt32, Math.ceil(usage / target));
    return { replicas, usage: Math.ceil(usage / statusReplicas) };
  }

  #byPods(
    given: PodMetrics,
    { pods, currentReplicas, tolerances }: ScaledPods,
    rules: {
      readonly resource: string;
      prepare(): void;
      ratioOf(values: PodMetrics): Ratio;
      /** Returns the assumed value of a pod without a metric when pods are removed. */
      ifMissing(pod: string): number;
    },
  ): Proposal {
    if (pods.length === 0) throw new Error(noPods);
    const metrics = new Map(given);
    const { readyCount, unready, missing, ignored } = groupPods(pods, metrics, rules.resource, this.#clock.now());
    for (const name of [...ignored, ...unready]) metrics.delete(name);
    if (metrics.size === 0) throw new Error('did not receive metrics for targeted pods (pods might be unready)');
    rules.prepare();
    const { ratio, ...shown } = rules.ratioOf(metrics);
    const unchanged = { replicas: currentReplicas, ...shown };
    const scalesUpWithUnready = unready.length > 0 && ratio > 1;
    if (!scalesUpWithUnready && missing.length === 0) {
      return isWithin(ratio, tolerances) ? unchanged : { replicas: Math.ceil(ratio * readyCount), ...shown };
    }
    const assume = (name: string, value: number): void => {
      metrics.set(name, { value, timestamp: 0, window: 0 });
    };
    if (ratio < 1) for (const name of missing) assume(name, rules.ifMissing(name));
    if (ratio > 1) for (const name of [...missing, ...unready]) assume(name, 0);
    const { ratio: assumed } = rules.ratioOf(metrics);
    if (isWithin(assumed, tolerances) || (ratio < 1 && assumed > 1) || (ratio > 1 && assumed < 1)) return unchanged;
    const replicas = Math.ceil(assumed * metrics.size);
    const turns = (assumed < 1 && replicas > currentReplicas) || (assumed > 1 && replicas < currentReplicas);
    return turns ? unchanged : { replicas, ...shown };
  }
}

const noPods = 'no pods returned by selector while calculating replica count';

/** (GetResourceUtilizationRatio) */
function utilizationRatio(metrics: PodMetrics, requests: ReadonlyMap<string, number>, target: number): Ratio {
  let [used, requested, count] = [0, 0, 0];
  for (const [name, { value }] of metrics) {
    const request = requests.get(name);
    if (request === undefined) continue;
    used += value;
    requested += request;
    count += 1;
  }
  if (requested === 0) throw new Error('no metrics returned matched known pods');
  const utilization = Math.trunc((used * 100) / requested);
  return { ratio: utilization / target, utilization, usage: Math.trunc(used / count) };
}

/** In thousandths. (calculateRequests) @throws Error if a container requests nothing */
function requestedBy(pod: Pod, resource: string, container: string | undefined): number {
  const { name } = pod.metadata;
  const { spec } = pod;
  if (container === undefined && isPodLevelResourcesSet(pod)) {
    const request = podRequests(pod).get(resource);
    if (request === undefined) throw new Error(`missing pod-level request for ${resource} in Pod ${name}`);
    return Number(scaledQuantityValue(request, -3));
  }
  const sidecars = spec?.initContainers?.filter(({ restartPolicy }) => restartPolicy === 'Always') ?? [];
  const wanted = [...(spec?.containers ?? []), ...sidecars].filter((one) => container === undefined || one.name === container);
  if (wanted.length === 0 && container !== undefined) throw new Error(`container ${container} not found in Pod ${name}`);
  return wanted.reduce((sum, one) => {
    const request = one.resources?.requests?.[resource];
    if (request === undefined) {
      throw new Error(`missing request for ${resource} in container ${one.name} of Pod ${name}`);
    }
    return sum + milliValue(request);
  }, 0);
}
