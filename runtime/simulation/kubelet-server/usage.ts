import type { Pod } from '../../../generated/v1.35/core/v1/types.ts';
import { isDecodeError } from '../../machinery/errors/decode-error.ts';
import { parseQuantity, scaledQuantityValue } from '../../machinery/scalars/quantity.ts';
import { runningContainers } from './pod-lists.ts';

/** The resource usage of a container, pod or node. */
export interface Usage {
  /** Billionths of a CPU. */
  readonly nanoCores: number;
  /** Total CPU time, in nanoseconds. */
  readonly coreNanoSeconds: number;
  /** Bytes. */
  readonly memory: number;
}

export interface ContainerUsage extends Usage {
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
}

/**
 * The usage of each container of a pod. KWOK's ClusterResourceUsage `usage-from-annotation` has the same annotations
 * and defaults.
 */
const cpuAnnotation = 'kwok.x-k8s.io/usage-cpu';
const memoryAnnotation = 'kwok.x-k8s.io/usage-memory';
const defaultCPU = '1m';
const defaultMemory = '1Mi';

/** Returns the usages of running containers. */
export function containerUsages(pod: Pod, now: number): ContainerUsage[] {
  const { annotations = {} } = pod.metadata;
  const nanoCores = amountOf(annotations[cpuAnnotation], defaultCPU, -9);
  const memory = amountOf(annotations[memoryAnnotation], defaultMemory, 0);
  return runningContainers(pod).map(({ name, state }) => {
    const startedAt = Date.parse(state?.running?.startedAt ?? '');
    const coreNanoSeconds = Math.round((nanoCores * Math.max(0, now - startedAt)) / 1000);
    return { name, startedAt, nanoCores, coreNanoSeconds, memory };
  });
}

/** Returns an amount. Invalid text counts as absent. */
function amountOf(text: string | undefined, fallback: string, scale: number): number {
  try {
    return Math.max(0, Number(scaledQuantityValue(parseQuantity(text ?? fallback), scale)));
  } catch (error) {
    if (!isDecodeError(error)) throw error;
    return amountOf(undefined, fallback, scale);
  }
}

export const totalUsage = (usages: readonly Usage[]): Usage =>
  usages.reduce(
    (sum, { nanoCores, coreNanoSeconds, memory }) => ({
      nanoCores: sum.nanoCores + nanoCores,
      coreNanoSeconds: sum.coreNanoSeconds + coreNanoSeconds,
      memory: sum.memory + memory,
    }),
    { nanoCores: 0, coreNanoSeconds: 0, memory: 0 },
  );
