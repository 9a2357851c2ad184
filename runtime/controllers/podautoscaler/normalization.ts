import type { HorizontalPodAutoscaler } from '../../../generated/v1.35/autoscaling/v2/types.ts';
import { downscaleStabilization, type ScaleHistory } from './scale-history.ts';

/** The replica count after limits, with the reason and message for the conditions. */
export interface Normalized {
  readonly replicas: number;
  /** For the condition AbleToScale. */
  readonly ability: { readonly reason: string; readonly message: string };
  /** For the condition ScalingLimited. */
  readonly limit: { readonly isLimited: boolean; readonly reason: string; readonly message: string };
}

/** The current replica count, the count that metrics want, and the bounds. */
export interface Wanted {
  readonly current: number;
  readonly desired: number;
  readonly min: number;
  readonly max: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

const ready = { reason: 'ReadyForNewScale', message: 'recommended size matches current size' };
const scaleUpStabilized = {
  reason: 'ScaleUpStabilized',
  message: 'recent recommendations were lower than current one, applying the lowest recent recommendation',
};
const scaleDownStabilized = {
  reason: 'ScaleDownStabilized',
  message: 'recent recommendations were higher than current one, applying the highest recent recommendation',
};

interface Limited {
  readonly replicas: number;
  readonly reason: string;
  readonly message: string;
}

const limits = {
  scaleUp: ['ScaleUpLimit', 'the desired replica count is increasing faster than the maximum scale rate'],
  tooMany: ['TooManyReplicas', 'the desired replica count is more than the maximum replica count'],
  scaleDown: ['ScaleDownLimit', 'the desired replica count is decreasing faster than the maximum scale rate'],
  tooFew: ['TooFewReplicas', 'the desired replica count is less than the minimum replica count'],
  none: ['DesiredWithinRange', 'the desired count is within the acceptable range'],
} as const;

const limitedTo = (replicas: number, [reason, message]: readonly [string, string]): Limited => ({
  replicas,
  reason,
  message,
});

/** (normalizeDesiredReplicas, normalizeDesiredReplicasWithBehaviors) */
export function normalize({ spec }: Pick<HorizontalPodAutoscaler, 'spec'>, wanted: Wanted, history: ScaleHistory): Normalized {
  const { current, desired, now } = wanted;
  const behavior = spec?.behavior;
  if (behavior === undefined) {
    const stabilized = history.stabilized(desired, now);
    const ability = stabilized === desired ? ready : scaleDownStabilized;
    return normalized(stabilized, ability, withinStandardRate({ ...wanted, desired: stabilized }));
  }
  const windowOf = (seconds: number | undefined, byDefault: number): number => (seconds === undefined ? byDefault : seconds * 1000);
  const windows = {
    up: windowOf(behavior.scaleUp?.stabilizationWindowSeconds, 0),
    down: windowOf(behavior.scaleDown?.stabilizationWindowSeconds, downscaleStabilization),
  };
  const stabilized = history.stabilizedBetween({ current, desired }, windows, now);
  const stabilizedAbility = desired >= current ? scaleUpStabilized : scaleDownStabilized;
  const ability = stabilized === desired ? ready : stabilizedAbility;
  const upLimit = Math.max(current, history.upLimit(current, behavior.scaleUp, now));
  const downLimit = Math.min(current, history.downLimit(current, behavior.scaleDown, now));
  return normalized(stabilized, ability, withinRate({ ...wanted, desired: stabilized }, upLimit, downLimit));
}

function normalized(stabilized: number, ability: Normalized['ability'], { replicas, reason, message }: Limited): Normalized {
  return { replicas, ability, limit: { isLimited: replicas !== stabilized, reason, message } };
}

/** At most twice as many at once, or four. (convertDesiredReplicasWithRules) */
function withinStandardRate({ current, desired, min, max }: Wanted): Limited {
  const upLimit = Math.max(2 * current, 4);
  if (desired < min) return limitedTo(min, limits.tooFew);
  if (desired > Math.min(max, upLimit)) {
    return max > upLimit ? limitedTo(upLimit, limits.scaleUp) : limitedTo(max, limits.tooMany);
  }
  return limitedTo(desired, limits.none);
}

/** (convertDesiredReplicasWithBehaviorRate) */
function withinRate({ current, desired, min, max }: Wanted, upLimit: number, downLimit: number): Limited {
  if (desired > current && desired > Math.min(max, upLimit)) {
    return max > upLimit ? limitedTo(upLimit, limits.scaleUp) : limitedTo(max, limits.tooMany);
  }
  if (desired < current && desired < Math.max(min, downLimit)) {
    return min < downLimit ? limitedTo(downLimit, limits.scaleDown) : limitedTo(min, limits.tooFew);
  }
  return limitedTo(desired, limits.none);
}
