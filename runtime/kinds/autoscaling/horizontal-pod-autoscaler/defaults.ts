import type * as v2 from '../../../../generated/v1.35/autoscaling/v2/types.ts';
import { defined } from '../../../machinery/json/defined.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';

/** (pkg/apis/autoscaling/v2/defaults.go) */

type Spec = Unvalidated<v2.HorizontalPodAutoscalerSpec>;
type ScalingRules = Unvalidated<v2.HPAScalingRules>;

const defaultCPUUtilization = 80;

/** Without metrics, the target is 80 % of the requested CPU. (SetDefaults_HorizontalPodAutoscaler) */
export function setHorizontalPodAutoscalerDefaults(spec: Spec): void {
  if (spec.metrics?.length) return;
  spec.metrics = [
    {
      type: 'Resource',
      resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: defaultCPUUtilization } },
    },
  ];
}

/** A behavior gets the default rules of both directions. (SetDefaults_HorizontalPodAutoscalerBehavior) */
export function setHorizontalPodAutoscalerBehaviorDefaults({ behavior }: Spec): void {
  if (!behavior) return;
  behavior.scaleUp = withDefaults(behavior.scaleUp, {
    stabilizationWindowSeconds: 0,
    selectPolicy: 'Max',
    policies: [
      { type: 'Pods', value: 4, periodSeconds: 15 },
      { type: 'Percent', value: 100, periodSeconds: 15 },
    ],
  });
  behavior.scaleDown = withDefaults(behavior.scaleDown, {
    selectPolicy: 'Max',
    policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
  });
}

const withDefaults = (rules: ScalingRules | undefined, defaults: ScalingRules): ScalingRules => ({
  ...defaults,
  ...defined({ ...rules }),
});
