import type { PluginName } from './plugin-names.ts';

/**
 * The kind of a rejection. Preemption can resolve Unschedulable, but not UnschedulableAndUnresolvable.
 * (kube-scheduler/framework Code)
 */
export type StatusCode = 'Unschedulable' | 'UnschedulableAndUnresolvable';

/** A plugin's reason for rejecting a pod. Plugins share constant ones. (kube-scheduler/framework Status) */
export interface Status {
  readonly code: StatusCode;
  readonly reasons: readonly string[];
  /** Absent if no plugin rejected the pod. */
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
