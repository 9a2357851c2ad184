import { forbidden, type StatusError, tooManyRequests } from '../../../machinery/errors/status.ts';
import type { KubeObject, Part } from '../../../machinery/object.ts';
import { timeText } from '../../../machinery/scalars/time.ts';

const budgets = { group: 'policy', resource: 'poddisruptionbudget' };
/** Evictions that the controller has not yet seen. (MaxDisruptedPodSize) */
const mostDisrupted = 2000;

/**
 * The budget with one disruption less, of this pod. (pkg/registry/core/pod/storage/eviction.go checkAndDecrement)
 *
 * @throws StatusError 403 for a budget out of bounds, 429 with the cause DisruptionBudget
 */
export function takeDisruption(budget: KubeObject, pod: string, now: number): KubeObject {
  const { metadata, status = {} } = budget;
  const name = metadata.name ?? '';
  if (Number(status.observedGeneration ?? 0) < Number(metadata.generation ?? 0)) throw beingProcessed(name);
  const allowed = Number(status.disruptionsAllowed ?? 0);
  if (allowed < 0) throw forbidden(budgets, name, 'pdb disruptions allowed is negative');
  if (Object.keys(status.disruptedPods ?? {}).length > mostDisrupted) {
    const why = 'DisruptedPods map too big - too many evictions not confirmed by PDB controller';
    throw forbidden(budgets, name, why);
  }
  if (allowed === 0) throw budgetError(whyNone(name, status), 0);
  const left = allowed - 1;
  budget.status = {
    ...status,
    disruptionsAllowed: left,
    disruptedPods: { ...status.disruptedPods, [pod]: timeText(now) },
    ...(left === 0 ? { conditions: withInsufficient(status, now) } : {}),
  };
  return budget;
}

/** The controller has not yet caught up with the budget. */
export const beingProcessed = (budget: string): StatusError =>
  budgetError(`The disruption budget ${budget} is still being processed by the server.`, 10);

function whyNone(name: string, status: Part): string {
  const failed = conditionOf(status);
  if (failed?.status === 'False' && failed.reason === 'SyncFailed') {
    return `The disruption budget ${name} does not allow evicting pods currently because it failed sync: ${failed.message}`;
  }
  const { desiredHealthy = 0, currentHealthy = 0 } = status;
  return `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`;
}

const conditionOf = ({ conditions = [] }: Part): Part | undefined =>
  conditions.find(({ type }: Part) => type === 'DisruptionAllowed');

/** (component-helpers apps/poddisruptionbudget UpdateDisruptionAllowedCondition) */
function withInsufficient(status: Part, now: number): Part[] {
  const before = conditionOf(status);
  const condition = {
    type: 'DisruptionAllowed',
    status: 'False',
    observedGeneration: status.observedGeneration,
    lastTransitionTime: before?.status === 'False' ? before.lastTransitionTime : timeText(now),
    reason: 'InsufficientPods',
    message: before?.message ?? '',
  };
  const { conditions = [] } = status;
  return before === undefined
    ? [...conditions, condition]
    : conditions.map((one: Part) => (one === before ? condition : one));
}

function budgetError(cause: string, retryAfterSeconds: number): StatusError {
  const error = tooManyRequests("Cannot evict pod as it would violate the pod's disruption budget.", retryAfterSeconds);
  const { details } = error.status;
  if (details) {
    if (retryAfterSeconds === 0) delete details.retryAfterSeconds;
    details.causes = [{ reason: 'DisruptionBudget', message: cause }];
  }
  return error;
}
