import type { Pod } from '../../../generated/v1.35/core/v1/types.ts';
import type { PodDisruptionBudget } from '../../../generated/v1.35/policy/v1/types.ts';
import type { Clock } from '../../machinery/clock.ts';
import { messageOf } from '../../machinery/errors/message-of.ts';
import { hasStatusCode } from '../../machinery/errors/status.ts';
import { goLabelSelector } from '../../machinery/go/label-selector.ts';
import { defined } from '../../machinery/json/defined.ts';
import { semanticDeepEqual } from '../../machinery/json/equality.ts';
import type { ObjectKey } from '../../machinery/object-key.ts';
import { labelSelectorFromObject } from '../../machinery/selectors/label-selector.ts';
import { type EventRecorder, referenceTo } from '../../reconcile/events/event-recorder.ts';
import type { SharedInformer } from '../../reconcile/informers/shared-informer.ts';
import type { SyncResult } from '../../reconcile/work-queue.ts';
import type { LoopbackClient } from '../../resources/loopback-client.ts';
import { budgetStatus, disruptionState, failSafeStatus } from './budget-status.ts';
import type { ControllerScales } from './controller-scales.ts';
import { expectedPodCount } from './expected-pods.ts';

export interface BudgetSyncOptions {
  readonly clock: Clock;
  readonly budgets: SharedInformer<PodDisruptionBudget>;
  readonly pods: SharedInformer<Pod>;
  readonly client: LoopbackClient<PodDisruptionBudget>;
  readonly scales: ControllerScales;
  readonly recorder: EventRecorder;
}

/** Reports whether a budget selects a pod of its namespace. */
export const isCovered = ({ spec }: PodDisruptionBudget, { metadata }: Pod): boolean =>
  labelSelectorFromObject(spec?.selector).matches(metadata.labels);

/** Writes the number of allowed evictions into the status of a budget. (pkg/controller/disruption trySync) */
export class BudgetSync {
  readonly #options: BudgetSyncOptions;

  constructor(options: BudgetSyncOptions) {
    this.#options = options;
  }

  async run({ namespace, name }: ObjectKey): Promise<SyncResult> {
    const budget = this.#options.budgets.get(namespace, name);
    if (budget === undefined) return 'done';
    try {
      return await this.#trySync(budget);
    } catch (error) {
      if (hasStatusCode(error, 409)) return 'retry';
      const status = failSafeStatus(budget, messageOf(error), this.#options.clock.now());
      await this.#write(budget, status);
      return 'done';
    }
  }

  async #trySync(budget: PodDisruptionBudget): Promise<SyncResult> {
    const { clock, scales } = this.#options;
    const pods = [...this.#options.pods.list(budget.metadata.namespace)].filter((pod) => isCovered(budget, pod));
    if (pods.length === 0) this.#recordEvent(budget, 'Normal', 'NoPods', 'No matching pods found');
    const expected = await expectedPodCount(budget, pods, scales).catch((error: Error) => {
      const message = `Failed to calculate the number of expected pods: ${error.message}`;
      this.#recordEvent(budget, 'Warning', 'CalculateExpectedPodCountFailed', message);
      throw error;
    });
    if (expected.unmanaged.length > 0) this.#recordEvent(budget, 'Warning', 'UnmanagedPods', unmanagedPodsText(budget));
    const now = clock.now();
    const { disruptedPods, notDeleted, recheckAfter } = disruptionState(budget, pods, now);
    for (const pod of notDeleted) {
      const { namespace } = budget.metadata;
      // upstream names the namespace twice
      const message = `Pod was expected by PDB ${namespace}/${namespace} to be deleted but it wasn't`;
      this.#options.recorder.event(referenceTo(pod), { type: 'Warning', reason: 'NotDeleted', message });
    }
    await this.#write(budget, budgetStatus(budget, pods, expected, { disruptedPods, now }));
    return recheckAfter ?? 'done';
  }

  async #write(budget: PodDisruptionBudget, status: PodDisruptionBudget['status']): Promise<void> {
    if (semanticDeepEqual(budget.status, status)) return;
    await this.#options.client.update(defined({ ...budget, status }), 'status');
  }

  #recordEvent(budget: PodDisruptionBudget, type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.#options.recorder.event(referenceTo(budget), { type, reason, message });
  }
}

const unmanagedPodsText = ({ spec }: PodDisruptionBudget): string =>
  `Pods selected by this PodDisruptionBudget (selector: ${goLabelSelector(spec?.selector ?? {})}) were found ` +
  'to be unmanaged. As a result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior. ' +
  'To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.';
