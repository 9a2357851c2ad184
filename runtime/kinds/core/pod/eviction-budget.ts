import type { PodDisruptionBudget, PodDisruptionBudgetStatus } from '../../../../generated/v1.35/policy/v1/types.ts';
import { forbidden, type StatusError, tooManyRequests } from '../../../machinery/errors/status.ts';
import { defined } from '../../../machinery/json/defined.ts';
import { timeText } from '../../../machinery/scalars/time.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import { disruptionAllowed, withDisruptionAllowed } from '../../policy/disruption-allowed.ts';

type BudgetStatus = Unvalidated<PodDisruptionBudgetStatus>;

const budgets = { group: 'policy', resource: 'poddisruptionbudget' };
/** (MaxDisruptedPodSize) */
const maxDisruptedPods = 2000;

/**
 * Takes one disruption from the budget and records the pod. (pkg/registry/core/pod/storage/eviction.go)
 *
 * @throws StatusError 403 for a status out of bounds, 429 with the cause DisruptionBudget
 */
export function checkAndDecrement(budget: PodDisruptionBudget, pod: string, now: number): void {
  const { metadata, status: old } = budget;
  const name = metadata.name ?? '';
  if (Number(old?.observedGeneration ?? 0) < Number(metadata.generation ?? 0)) throw budgetNotObserved(name);
  const allowed = Number(old?.disruptionsAllowed ?? 0);
  if (allowed < 0) throw forbidden(budgets, name, 'pdb disruptions allowed is negative');
  if (Object.keys(old?.disruptedPods ?? {}).length > maxDisruptedPods) {
    const detail = 'DisruptedPods map too big - too many evictions not confirmed by PDB controller';
    throw forbidden(budgets, name, detail);
  }
  if (old === undefined || allowed === 0) throw disruptionBudgetError(noDisruptionsText(name, old ?? {}), 0);
  const disruptionsAllowed = allowed - 1;
  const conditions = disruptionsAllowed === 0 ? withInsufficientPods(old, now) : old.conditions;
  budget.status = {
    ...old,
    disruptionsAllowed,
    disruptedPods: { ...old.disruptedPods, [pod]: timeText(now) },
    ...(conditions && { conditions }),
  };
}

/** The disruption controller has not observed the budget's last change. */
export const budgetNotObserved = (budget: string): StatusError =>
  disruptionBudgetError(`The disruption budget ${budget} is still being processed by the server.`, 10);

function noDisruptionsText(name: string, status: BudgetStatus): string {
  const condition = disruptionAllowed(status.conditions ?? []);
  const why = condition?.status === 'False' ? condition.message : undefined;
  const refused = `The disruption budget ${name} does not allow evicting pods currently`;
  if (why && condition?.reason === 'SyncFailed') return `${refused} because it failed sync: ${why}`;
  const { desiredHealthy = 0, currentHealthy = 0 } = status;
  if (currentHealthy <= desiredHealthy) {
    return `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`;
  }
  return why ? `${refused} (${condition?.reason ?? ''}): ${why}` : refused;
}

/** (component-helpers apps/poddisruptionbudget, UpdateDisruptionAllowedCondition) */
function withInsufficientPods(
  { conditions = [], observedGeneration }: PodDisruptionBudgetStatus,
  now: number,
): PodDisruptionBudgetStatus['conditions'] {
  const message = disruptionAllowed(conditions)?.message ?? '';
  const verdict = { status: 'False', reason: 'InsufficientPods', message, ...defined({ observedGeneration }) };
  return withDisruptionAllowed(conditions, verdict, now);
}

function disruptionBudgetError(message: string, retryAfterSeconds: number): StatusError {
  const error = tooManyRequests("Cannot evict pod as it would violate the pod's disruption budget.", retryAfterSeconds);
  const { details } = error.status;
  if (details) {
    if (retryAfterSeconds === 0) delete details.retryAfterSeconds;
    details.causes = [{ reason: 'DisruptionBudget', message }];
  }
  return error;
}
