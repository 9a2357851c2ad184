import type { KubeObject } from '../../../machinery/object.ts';

/**
 * What selectors see of a pod. Pods with the same labels share it, so that counting those that a selector matches costs as
 * much as there are different ones.
 */
export interface LabelGroup {
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Being deleted. */
  readonly isTerminating: boolean;
}

/** The group of a pod that nobody counts. */
export const groupIn = ({ metadata }: Pick<KubeObject, 'metadata'>): LabelGroup => ({
  namespace: metadata.namespace ?? '',
  labels: metadata.labels ?? {},
  isTerminating: metadata.deletionTimestamp !== undefined,
});
