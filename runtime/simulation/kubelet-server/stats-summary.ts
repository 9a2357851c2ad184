import type { Pod } from '../../../generated/v1.35/core/v1/types.ts';
import { parseQuantity, scaledQuantityValue } from '../../machinery/scalars/quantity.ts';
import { timeText } from '../../machinery/scalars/time.ts';
import { imageSize } from '../pods/container-events.ts';
import type { KubeletView } from './kubelet-view.ts';
import { containerUsages, totalUsage, type Usage } from './usage.ts';

/**
 * Returns the CPU, memory and disk usage of nodes and pods. (pkg/kubelet/server/stats;
 * k8s.io/kubelet/pkg/apis/stats/v1alpha1)
 *
 * @param onlyCPUAndMemory leaves out the disks
 */
export function statsSummary({ node, pods, now }: KubeletView, onlyCPUAndMemory: boolean): object {
  const all = pods.map((pod) => ({ pod, usages: containerUsages(pod, now) })).filter(({ usages }) => usages.length > 0);
  const total = totalUsage(all.flatMap(({ usages }) => usages));
  const { capacity = {} } = node.status ?? {};
  const disk = amountOf(capacity['ephemeral-storage']);
  const images = new Set(pods.flatMap(({ status }) => status?.containerStatuses?.map(({ imageID }) => imageID) ?? []));
  images.delete('');
  const disks = {
    fs: diskStats(disk, images.size * imageSize, now),
    runtime: { imageFs: diskStats(disk, images.size * imageSize, now), containerFs: diskStats(disk, 0, now) },
  };
  return {
    node: {
      nodeName: node.metadata.name,
      startTime: node.metadata.creationTimestamp,
      cpu: cpuStats(total, now),
      memory: memoryStats(total, now, amountOf(capacity.memory)),
      ...(onlyCPUAndMemory ? {} : disks),
    },
    pods: all.map(({ pod, usages }) => ({
      ...podStats(pod),
      containers: usages.map((usage) => ({
        name: usage.name,
        startTime: timeText(usage.startedAt),
        cpu: cpuStats(usage, now),
        memory: memoryStats(usage, now),
        ...(onlyCPUAndMemory ? {} : { rootfs: diskStats(disk, 0, now), logs: diskStats(disk, 0, now) }),
      })),
      ...usageStats(totalUsage(usages), now),
      ...(onlyCPUAndMemory ? {} : { 'ephemeral-storage': diskStats(disk, 0, now) }),
    })),
  };
}

const podStats = ({ metadata: { name, namespace, uid }, status }: Pod) => ({
  podRef: { name, namespace, uid },
  startTime: status?.startTime,
});

const usageStats = (usage: Usage, now: number) => ({ cpu: cpuStats(usage, now), memory: memoryStats(usage, now) });

const cpuStats = ({ nanoCores, coreNanoSeconds }: Usage, now: number) => ({
  time: timeText(now),
  usageNanoCores: nanoCores,
  usageCoreNanoSeconds: coreNanoSeconds,
});

const memoryStats = ({ memory }: Usage, now: number, capacity?: number) => ({
  time: timeText(now),
  ...(capacity === undefined ? {} : { availableBytes: Math.max(0, capacity - memory) }),
  usageBytes: memory,
  workingSetBytes: memory,
  rssBytes: memory,
  pageFaults: 0,
  majorPageFaults: 0,
});

const diskStats = (capacity: number, used: number, now: number) => ({
  time: timeText(now),
  availableBytes: Math.max(0, capacity - used),
  capacityBytes: capacity,
  usedBytes: used,
});

const amountOf = (quantity = '0'): number => Number(scaledQuantityValue(parseQuantity(quantity)));
