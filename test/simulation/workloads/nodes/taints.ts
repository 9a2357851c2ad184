import type { Taint, Toleration } from '../../../../generated/v1.35/core/v1/types.ts';
import type { TestObject } from '../../../support/test-object.ts';

const tolerates = ({ key, operator, value, effect }: Toleration, taint: Taint): boolean =>
  (!effect || effect === taint.effect) && (!key || key === taint.key) && (operator === 'Exists' || (value ?? '') === (taint.value ?? ''));

const toleration = ({ spec }: TestObject, taint: Taint): Toleration | undefined =>
  spec.tolerations?.find((one: Toleration) => tolerates(one, taint));

/** Returns the taints of a node that keep pods away, including a cordon. */
export function keepingOut({ spec }: TestObject): Taint[] {
  const cordon: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };
  const taints: Taint[] = spec?.taints?.filter(({ effect }: Taint) => effect !== 'PreferNoSchedule') ?? [];
  return spec?.unschedulable ? [...taints, cordon] : taints;
}

export const isKeptOut = (pod: TestObject, node: TestObject): boolean =>
  keepingOut(node).some((taint) => toleration(pod, taint) === undefined);

/** Returns the milliseconds that a pod may stay on a node, by the first toleration of each taint. */
export function timeToStay(pod: TestObject, { spec }: TestObject): number {
  const times = (spec?.taints ?? [])
    .filter(({ effect }: Taint) => effect === 'NoExecute')
    .map((taint: Taint) => {
      const used = toleration(pod, taint);
      if (used === undefined) return 0;
      return used.tolerationSeconds === undefined ? Number.POSITIVE_INFINITY : Number(used.tolerationSeconds) * 1000;
    });
  return Math.min(Number.POSITIVE_INFINITY, ...times);
}
