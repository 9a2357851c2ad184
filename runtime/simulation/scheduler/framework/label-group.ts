import type { KubeObject } from '../../../machinery/object.ts';

/**
 * The part of a pod that selectors see. Pods with the same labels share one group, so counting the pods that a selector
 * matches costs one step per group.
 */
export interface LabelGroup {
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Whether the pod is being deleted. */
  readonly isTerminating: boolean;
}

/** Returns an unshared group, for a pod that is not counted. */
export const groupIn = ({ metadata }: Pick<KubeObject, 'metadata'>): LabelGroup => ({
  namespace: metadata.namespace ?? '',
  labels: metadata.labels ?? {},
  isTerminating: metadata.deletionTimestamp !== undefined,
});
