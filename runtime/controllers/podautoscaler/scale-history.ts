import type { HorizontalPodAutoscalerBehavior, HPAScalingPolicy, HPAScalingRules } from '../../../generated/v1.35/autoscaling/v2/types.ts';

interface Recommendation {
  readonly replicas: number;
  readonly time: number;
}

interface ScaleEvent {
  readonly change: number;
  readonly time: number;
}

/** Milliseconds for which the highest recommendation counts. (--horizontal-pod-autoscaler-downscale-stabilization) */
export const downscaleStabilization = 300_000;

/** Recent recommendations and scalings of one autoscaler. Times are in milliseconds. */
export class ScaleHistory {
  #recommendations: Recommendation[] = [];
  #ups: ScaleEvent[] = [];
  #downs: ScaleEvent[] = [];

  /** (recordInitialRecommendation) */
  begin(replicas: number, time: number): void {
    if (this.#recommendations.length === 0) this.#recommendations.push({ replicas, time });
  }

  /**
   * Records a recommendation and returns the highest of the downscaleStabilization window. (stabilizeRecommendation)
   */
  stabilized(replicas: number, now: number): number {
    const recent = this.#recommendations.filter(({ time }) => time >= now - downscaleStabilization);
    this.#recommendations = [...recent, { replicas, time: now }];
    return Math.max(...this.#recommendations.map((one) => one.replicas));
  }

  /**
   * Records a recommendation. Returns the current replicas, raised to the lowest recommendation of the window for up
   * and lowered to the highest of the window for down. (stabilizeRecommendationWithBehaviors)
   *
   * @param windows milliseconds
   */
  stabilizedBetween(
    { current, desired }: { readonly current: number; readonly desired: number },
    windows: { readonly up: number; readonly down: number },
    now: number,
  ): number {
    const since = (window: number): number[] => [
      ...this.#recommendations.filter(({ time }) => time > now - window).map(({ replicas }) => replicas),
      desired,
    ];
    const lowest = Math.min(...since(windows.up));
    const highest = Math.max(...since(windows.down));
    const longest = Math.max(windows.up, windows.down);
    const recent = this.#recommendations.filter(({ time }) => time >= now - longest);
    this.#recommendations = [...recent, { replicas: desired, time: now }];
    return Math.min(Math.max(current, lowest), highest);
  }

  /** (storeScaleEvent) */
  scaled(before: number, after: number, behavior: HorizontalPodAutoscalerBehavior, now: number): void {
    const isUp = after > before;
    const longest = Math.max(0, ...policiesOf(isUp ? behavior.scaleUp : behavior.scaleDown).map((one) => one.periodSeconds));
    const event = { change: Math.abs(after - before), time: now };
    const kept = (events: readonly ScaleEvent[]): ScaleEvent[] => [...events.filter(({ time }) => time >= now - longest * 1000), event];
    if (isUp) this.#ups = kept(this.#ups);
    else this.#downs = kept(this.#downs);
  }

  /** Returns the most pods that the rules allow now. (calculateScaleUpLimitWithScalingRules) */
  upLimit(current: number, rules: HPAScalingRules | undefined, now: number): number {
    const proposals = policiesOf(rules).map((policy) => {
      const before = this.#atPeriodStart(current, policy, now);
      return policy.type === 'Pods' ? before + policy.value : Math.ceil(before * (1 + policy.value / 100));
    });
    return limitOf(current, rules, proposals, { least: Math.min, most: Math.max });
  }

  /** Returns the fewest pods that the rules allow now. (calculateScaleDownLimitWithBehaviors) */
  downLimit(current: number, rules: HPAScalingRules | undefined, now: number): number {
    const proposals = policiesOf(rules).map((policy) => {
      const before = this.#atPeriodStart(current, policy, now);
      return policy.type === 'Pods' ? before - policy.value : Math.trunc(before * (1 - policy.value / 100));
    });
    return limitOf(current, rules, proposals, { least: Math.max, most: Math.min });
  }

  /** Returns the replicas at the start of the policy's period. (getReplicasChangePerPeriod) */
  #atPeriodStart(current: number, { periodSeconds }: HPAScalingPolicy, now: number): number {
    const sum = (events: readonly ScaleEvent[]): number =>
      events.reduce((total, { change, time }) => (time > now - periodSeconds * 1000 ? total + change : total), 0);
    return current - sum(this.#ups) + sum(this.#downs);
  }
}

const policiesOf = (rules: HPAScalingRules | undefined): readonly HPAScalingPolicy[] => rules?.policies ?? [];

function limitOf(
  current: number,
  rules: HPAScalingRules | undefined,
  proposals: readonly number[],
  { least, most }: Record<'least' | 'most', (...values: number[]) => number>,
): number {
  if (rules?.selectPolicy === 'Disabled') return current;
  return rules?.selectPolicy === 'Min' ? least(...proposals) : most(...proposals);
}
