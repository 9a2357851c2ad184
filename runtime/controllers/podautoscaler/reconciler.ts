import type {
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerStatus,
  MetricStatus,
} from '../../../generated/v1.35/autoscaling/v2/types.ts';
import type { Pod } from '../../../generated/v1.35/core/v1/types.ts';
import type { Clock } from '../../machinery/clock.ts';
import { messageOf } from '../../machinery/errors/message-of.ts';
import { semanticDeepEqual } from '../../machinery/json/equality.ts';
import { parseQuantity, scaledQuantityValue } from '../../machinery/scalars/quantity.ts';
import { timeText } from '../../machinery/scalars/time.ts';
import { type LabelSelector, parseLabelSelector } from '../../machinery/selectors/label-selector.ts';
import { type EventRecorder, referenceTo } from '../../reconcile/events/event-recorder.ts';
import type { SharedInformer } from '../../reconcile/informers/shared-informer.ts';
import type { LoopbackClient } from '../../resources/loopback-client.ts';
import type { ObjectScale } from '../../resources/scale.ts';
import type { AutoscalerSelectors } from './autoscaler-selectors.ts';
import { isMetricError, type MetricComputation, type TargetState } from './metric-computation.ts';
import { normalize } from './normalization.ts';
import type { Tolerances } from './replica-calculator.ts';
import { ScaleHistory } from './scale-history.ts';
import type { ScaleTargets } from './scale-target.ts';
import { StatusDraft } from './status-draft.ts';

/** (--horizontal-pod-autoscaler-tolerance) */
const defaultTolerance = 0.1;

export interface HorizontalReconcilerOptions {
  readonly clock: Clock;
  readonly pods: SharedInformer<Pod>;
  readonly autoscalers: LoopbackClient<HorizontalPodAutoscaler>;
  readonly targets: ScaleTargets;
  readonly selectors: AutoscalerSelectors;
  readonly computation: MetricComputation;
  readonly recorder: EventRecorder;
}

/** The combined proposal of all metrics. */
interface DesiredByMetrics {
  readonly replicas: number;
  readonly metric: string;
  readonly statuses: MetricStatus[];
}

/** (reconcileAutoscaler in pkg/controller/podautoscaler/horizontal.go) */
export class HorizontalReconciler {
  readonly #options: HorizontalReconcilerOptions;
  readonly #histories = new Map<string, ScaleHistory>();

  constructor(options: HorizontalReconcilerOptions) {
    this.#options = options;
  }

  forget(uid: string): void {
    this.#histories.delete(uid);
  }

  /** @throws Error for the log, after the status has it */
  async run(autoscaler: HorizontalPodAutoscaler): Promise<void> {
    const { clock, targets } = this.#options;
    const { namespace = '' } = autoscaler.metadata;
    const target = autoscaler.spec?.scaleTargetRef ?? { kind: '', name: '' };
    const draft = new StatusDraft(autoscaler.status, clock.now());
    let scale: ObjectScale;
    try {
      scale = await targets.get(target, namespace);
    } catch (error) {
      const { message } = error as Error;
      this.#recordEvent(autoscaler, 'Warning', 'FailedGetScale', message);
      draft.set('AbleToScale', false, 'FailedGetScale', `the HPA controller was unable to get the target's current scale: ${message}`);
      return this.#write(autoscaler, draft.status);
    }
    draft.set('AbleToScale', true, 'SucceededGetScale', "the HPA controller was able to get the target's current scale");
    await this.#rescale(autoscaler, scale, draft);
  }

  async #rescale(autoscaler: HorizontalPodAutoscaler, scale: ObjectScale, draft: StatusDraft): Promise<void> {
    const { minReplicas: min = 1, maxReplicas: max = 0 } = autoscaler.spec ?? {};
    const { specReplicas: current } = scale;
    const now = this.#options.clock.now();
    const history = this.#historyOf(autoscaler);
    history.begin(current, now);
    if (current === 0 && min !== 0) {
      const message = 'scaling is disabled since the replica count of the target is zero';
      draft.set('ScalingActive', false, 'ScalingDisabled', message);
      return this.#write(autoscaler, draft.with({ currentReplicas: 0, desiredReplicas: 0, currentMetrics: [] }));
    }
    if (current > max)
      return this.#scaleTo(autoscaler, draft, {
        current,
        desired: max,
        reason: 'Current number of replicas above Spec.MaxReplicas',
        statuses: [],
      });
    if (current < min)
      return this.#scaleTo(autoscaler, draft, {
        current,
        desired: min,
        reason: 'Current number of replicas below Spec.MinReplicas',
        statuses: [],
      });
    let byMetrics: DesiredByMetrics;
    try {
      byMetrics = await this.#compute(autoscaler, scale, draft);
    } catch (error) {
      const { statuses = [] } = error as { statuses?: MetricStatus[] };
      await this.#writeCurrent(autoscaler, draft, current, statuses);
      this.#recordEvent(autoscaler, 'Warning', 'FailedComputeMetricsReplicas', messageOf(error));
      return;
    }
    const { replicas: desired, metric, statuses } = byMetrics;
    const { replicas, ability, limit } = normalize(autoscaler, { current, desired, min, max, now }, history);
    draft.set('AbleToScale', true, ability.reason, ability.message);
    draft.set('ScalingLimited', limit.isLimited, limit.reason, limit.message);
    if (replicas === current) {
      return this.#write(autoscaler, draft.with({ currentReplicas: current, desiredReplicas: current, currentMetrics: statuses }));
    }
    const reason = desired > current ? `${metric} above target` : desired < current ? 'All metrics below target' : '';
    await this.#scaleTo(autoscaler, draft, { current, desired: replicas, reason, statuses });
  }

  async #scaleTo(
    autoscaler: HorizontalPodAutoscaler,
    draft: StatusDraft,
    { current, desired, reason, statuses }: { current: number; desired: number; reason: string; statuses: MetricStatus[] },
  ): Promise<void> {
    const { namespace = '' } = autoscaler.metadata;
    const { scaleTargetRef = { kind: '', name: '' }, behavior } = autoscaler.spec ?? {};
    const now = this.#options.clock.now();
    const size = `New size: ${desired}; reason: ${reason}`;
    try {
      await this.#options.targets.setReplicas(scaleTargetRef, namespace, desired);
    } catch (error) {
      const { message } = error as Error;
      this.#recordEvent(autoscaler, 'Warning', 'FailedRescale', `${size}; error: ${message}`);
      draft.set('AbleToScale', false, 'FailedUpdateScale', `the HPA controller was unable to update the target scale: ${message}`);
      return this.#writeCurrent(autoscaler, draft, current, statuses);
    }
    const succeeded = `the HPA controller was able to update the target scale to ${desired}`;
    draft.set('AbleToScale', true, 'SucceededRescale', succeeded);
    this.#recordEvent(autoscaler, 'Normal', 'SuccessfulRescale', size);
    if (behavior) this.#historyOf(autoscaler).scaled(current, desired, behavior, now);
    const replicas = { currentReplicas: current, desiredReplicas: desired, currentMetrics: statuses };
    await this.#write(autoscaler, draft.with({ ...replicas, lastScaleTime: timeText(now) }));
  }

  /**
   * Returns the largest proposal of the metrics. (computeReplicasForMetrics) @throws Error with `statuses` if no metric
   * has a proposal
   */
  async #compute(autoscaler: HorizontalPodAutoscaler, scale: ObjectScale, draft: StatusDraft): Promise<DesiredByMetrics> {
    const state = this.#stateOf(autoscaler, scale, draft);
    const { metrics = [] } = autoscaler.spec ?? {};
    const failures: { readonly reason: string; readonly detail: string; readonly message: string }[] = [];
    const statuses: MetricStatus[] = [];
    let [replicas, metric] = [0, ''];
    for (const spec of metrics) {
      try {
        const computed = await this.#options.computation.compute(autoscaler, spec, state);
        statuses.push(computed.status);
        if (replicas === 0 || computed.replicas > replicas) [replicas, metric] = [computed.replicas, computed.name];
      } catch (error) {
        if (!isMetricError(error)) throw error;
        this.#recordEvent(autoscaler, 'Warning', error.reason, error.detail);
        statuses.push({ type: '' });
        failures.push({ reason: error.reason, detail: error.detail, message: error.message });
      }
    }
    const [first] = failures;
    if (first !== undefined && (failures.length >= metrics.length || replicas < scale.specReplicas)) {
      draft.set('ScalingActive', false, first.reason, `the HPA was unable to compute the replica count: ${first.detail}`);
      const count = `${failures.length} invalid out of ${metrics.length}`;
      throw Object.assign(new Error(`invalid metrics (${count}), first error is: ${first.message}`), { statuses });
    }
    const found = `the HPA was able to successfully calculate a replica count from ${metric}`;
    draft.set('ScalingActive', true, 'ValidMetricFound', found);
    return { replicas, metric, statuses };
  }

  /**
   * Returns the pods that no other autoscaler scales. (validateAndParseSelector) @throws Error after its event was
   * recorded
   */
  #stateOf(autoscaler: HorizontalPodAutoscaler, scale: ObjectScale, draft: StatusDraft): TargetState {
    const { specReplicas, statusReplicas, selector: text } = scale;
    const { namespace = '', name = '' } = autoscaler.metadata;
    const refuse = (event: string, reason: string, problem: string, message = problem): Error => {
      this.#recordEvent(autoscaler, 'Warning', event, problem);
      draft.set('ScalingActive', false, reason, message);
      return new Error(problem);
    };
    if (text === '') {
      const message = "the HPA target's scale is missing a selector";
      throw refuse('SelectorRequired', 'InvalidSelector', 'selector is required', message);
    }
    let selector: LabelSelector;
    try {
      selector = parseLabelSelector(text);
    } catch (error) {
      const problem = `couldn't convert selector into a corresponding internal selector object: ${messageOf(error)}`;
      throw refuse('InvalidSelector', 'InvalidSelector', problem);
    }
    const { selectors } = this.#options;
    selectors.set({ namespace, name }, selector);
    const pods = [...this.#options.pods.list(namespace)].filter(({ metadata }) => selector.matches(metadata.labels));
    const autoscalers = selectors.selecting(namespace, pods);
    if (autoscalers.length > 1) {
      const problem = `pods by selector ${text} are controlled by multiple HPAs: [${autoscalers.join(' ')}]`;
      throw refuse('AmbiguousSelector', 'AmbiguousSelector', problem);
    }
    return { pods, selector, statusReplicas, currentReplicas: specReplicas, tolerances: tolerancesOf(autoscaler) };
  }

  #historyOf({ metadata: { uid = '' } }: HorizontalPodAutoscaler): ScaleHistory {
    let history = this.#histories.get(uid);
    if (history === undefined) {
      history = new ScaleHistory();
      this.#histories.set(uid, history);
    }
    return history;
  }

  /** Writes the current replicas and metrics. The desired replicas stay. (setCurrentReplicasAndMetricsInStatus) */
  #writeCurrent(
    autoscaler: HorizontalPodAutoscaler,
    draft: StatusDraft,
    currentReplicas: number,
    currentMetrics: MetricStatus[],
  ): Promise<void> {
    const { desiredReplicas = 0 } = autoscaler.status ?? {};
    return this.#write(autoscaler, draft.with({ currentReplicas, desiredReplicas, currentMetrics }));
  }

  async #write(autoscaler: HorizontalPodAutoscaler, status: HorizontalPodAutoscalerStatus): Promise<void> {
    if (semanticDeepEqual(autoscaler.status, status)) return;
    await this.#options.autoscalers.update({ ...autoscaler, status }, 'status');
  }

  #recordEvent(autoscaler: HorizontalPodAutoscaler, type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.#options.recorder.event(referenceTo(autoscaler), { type, reason, message });
  }
}

/** (tolerancesForHpa) */
function tolerancesOf({ spec }: HorizontalPodAutoscaler): Tolerances {
  const numberOf = (quantity: string | undefined): number =>
    quantity === undefined ? defaultTolerance : Number(scaledQuantityValue(parseQuantity(quantity), -9)) / 1e9;
  const { scaleDown, scaleUp } = spec?.behavior ?? {};
  return { scaleDown: numberOf(scaleDown?.tolerance), scaleUp: numberOf(scaleUp?.tolerance) };
}
