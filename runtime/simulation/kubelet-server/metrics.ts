import { Exposition, formatLabels } from '../../machinery/metrics/exposition.ts';
import type { KubeletView } from './kubelet-view.ts';
import { runningContainers } from './pod-lists.ts';
import { type ContainerUsage, containerUsages, totalUsage } from './usage.ts';

/** Returns a kubelet's metrics. (pkg/kubelet/metrics) */
export function kubeletMetrics({ node, pods }: KubeletView): string {
  const text = new Exposition();
  const running = pods.map((pod) => runningContainers(pod).length);
  const active = pods.filter(({ status }) => status?.phase !== 'Succeeded' && status?.phase !== 'Failed').length;
  text.head('kubelet_active_pods', 'gauge', '[ALPHA] How many pods the kubelet considers active.');
  text.line('kubelet_active_pods', formatLabels({ static: '' }), active);
  text.head('kubelet_desired_pods', 'gauge', '[ALPHA] How many pods the kubelet is to run.');
  text.line('kubelet_desired_pods', formatLabels({ static: '' }), pods.length);
  text.head('kubelet_node_name', 'gauge', '[ALPHA] The name of the node. The count is always 1.');
  text.line('kubelet_node_name', formatLabels({ node: node.metadata.name ?? '' }), 1);
  text.head('kubelet_running_containers', 'gauge', '[ALPHA] How many containers run.');
  const count = running.reduce((sum, one) => sum + one, 0);
  text.line('kubelet_running_containers', formatLabels({ container_state: 'running' }), count);
  text.head('kubelet_running_pods', 'gauge', '[ALPHA] How many pods have a sandbox that runs.');
  text.line('kubelet_running_pods', '', running.filter((one) => one > 0).length);
  return text.toString();
}

/** Returns the metrics for metrics servers. (pkg/kubelet/metrics/collectors/resource_metrics.go) */
export function resourceMetrics({ pods, now }: KubeletView): string {
  const used = pods
    .map((pod) => ({ labels: labelsOf(pod.metadata), usages: containerUsages(pod, now) }))
    .filter(({ usages }) => usages.length > 0);
  const text = new Exposition();
  const ofContainers = (name: string, type: 'counter' | 'gauge', help: string, of: (one: ContainerUsage) => number) => {
    text.head(name, type, help);
    for (const { labels, usages } of used) {
      for (const usage of usages) {
        const time = type === 'gauge' && name.endsWith('_seconds') ? undefined : now;
        text.line(name, formatLabels({ container: usage.name, ...labels }), of(usage), time);
      }
    }
  };
  ofContainers('container_cpu_usage_seconds_total', 'counter', '[STABLE] CPU time of the container', seconds);
  ofContainers('container_memory_working_set_bytes', 'gauge', '[STABLE] Memory of the container', memory);
  ofContainers('container_start_time_seconds', 'gauge', '[STABLE] When the container started', (one) => {
    return one.startedAt / 1000;
  });
  const node = totalUsage(used.flatMap(({ usages }) => usages));
  text.head('node_cpu_usage_seconds_total', 'counter', '[STABLE] CPU time of the node');
  text.line('node_cpu_usage_seconds_total', '', seconds(node), now);
  text.head('node_memory_working_set_bytes', 'gauge', '[STABLE] Memory of the node');
  text.line('node_memory_working_set_bytes', '', memory(node), now);
  const totals = used.map(({ labels, usages }) => ({ labels: formatLabels(labels), total: totalUsage(usages) }));
  text.head('pod_cpu_usage_seconds_total', 'counter', '[STABLE] CPU time of the pod');
  for (const { labels, total } of totals) text.line('pod_cpu_usage_seconds_total', labels, seconds(total), now);
  text.head('pod_memory_working_set_bytes', 'gauge', '[STABLE] Memory of the pod');
  for (const { labels, total } of totals) text.line('pod_memory_working_set_bytes', labels, memory(total), now);
  text.head('resource_scrape_error', 'gauge', '[STABLE] Whether the containers could not be measured');
  text.line('resource_scrape_error', '', 0);
  return text.toString();
}

const labelsOf = ({ namespace = '', name = '' }: { readonly namespace?: string; readonly name?: string }) => ({
  namespace,
  pod: name,
});

const seconds = ({ coreNanoSeconds }: { readonly coreNanoSeconds: number }): number => coreNanoSeconds / 1e9;
const memory = (usage: { readonly memory: number }): number => usage.memory;
