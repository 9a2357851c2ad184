import type { PluginName } from './plugin-names.ts';

/**
 * How a node, or all of them, do not suit a pod. Preemption can change what is Unschedulable, and not what is
 * UnschedulableAndUnresolvable. (kube-scheduler/framework Code)
 */
export type StatusCode = 'Unschedulable' | 'UnschedulableAndUnresolvable';

/** Why a plugin rejected a pod. Plugins share those that are always the same. (kube-scheduler/framework Status) */
export interface Status {
  readonly code: StatusCode;
  readonly reasons: readonly string[];
  /** Absent if no plugin is to blame. */
  readonly plugin?: PluginName;
}

export const unschedulable = (plugin: PluginName, ...reasons: string[]): Status => ({
  code: 'Unschedulable',
  reasons,
  plugin,
});

export const unresolvable = (plugin: PluginName, ...reasons: string[]): Status => ({
  code: 'UnschedulableAndUnresolvable',
  reasons,
  plugin,
});

export const isStatus = (value: object): value is Status => 'code' in value;
