import type { HorizontalPodAutoscalerCondition, HorizontalPodAutoscalerStatus } from '../../../generated/v1.35/autoscaling/v2/types.ts';
import { withCondition } from '../../machinery/conditions.ts';

type ConditionType = 'AbleToScale' | 'ScalingActive' | 'ScalingLimited';
type Replicas = Pick<HorizontalPodAutoscalerStatus, 'currentReplicas' | 'desiredReplicas' | 'currentMetrics' | 'lastScaleTime'>;

/** The new status of an autoscaler, while a sync builds it. */
export class StatusDraft {
  readonly #before: HorizontalPodAutoscalerStatus;
  readonly #now: number;
  #conditions: readonly HorizontalPodAutoscalerCondition[];

  /** @param now milliseconds since the epoch */
  constructor(before: HorizontalPodAutoscalerStatus | undefined, now: number) {
    this.#before = before ?? { desiredReplicas: 0 };
    this.#now = now;
    this.#conditions = this.#before.conditions ?? [];
  }

  /** (setConditionInList) */
  set(type: ConditionType, isTrue: boolean, reason: string, message: string): void {
    const status = isTrue ? 'True' : 'False';
    this.#conditions = withCondition(this.#conditions, { type, status, reason, message }, this.#now);
  }

  /** The previous status with the new conditions. */
  get status(): HorizontalPodAutoscalerStatus {
    return { ...this.#before, conditions: [...this.#conditions] };
  }

  /** (setStatus) */
  with(replicas: Replicas): HorizontalPodAutoscalerStatus {
    const { lastScaleTime } = this.#before;
    return {
      ...(lastScaleTime && { lastScaleTime }),
      ...replicas,
      conditions: [...this.#conditions],
    };
  }
}
