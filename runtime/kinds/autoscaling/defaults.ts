import type { Part } from '../../machinery/object.ts';

const targetUtilization = 80;

/** (SetDefaults_HorizontalPodAutoscaler, pkg/apis/autoscaling/v2/defaults.go) Without metrics: 80 % of the requested CPU. */
export function setAutoscalerMetrics(spec: Part): void {
  if (spec.metrics?.length > 0) return;
  spec.metrics = [
    {
      type: 'Resource',
      resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: targetUtilization } },
    },
  ];
}

/** Fills both directions once one of them is spoken of. */
export function setAutoscalerBehavior(spec: Part): void {
  if (!spec.behavior) return;
  spec.behavior.scaleUp = withRules(spec.behavior.scaleUp, {
    stabilizationWindowSeconds: 0,
    selectPolicy: 'Max',
    policies: [
      { type: 'Pods', value: 4, periodSeconds: 15 },
      { type: 'Percent', value: 100, periodSeconds: 15 },
    ],
  });
  spec.behavior.scaleDown = withRules(spec.behavior.scaleDown, {
    selectPolicy: 'Max',
    policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
  });
}

function withRules(given: Part, rules: Part): Part {
  for (const name of Object.keys(given ?? {})) if (given[name] !== undefined) rules[name] = given[name];
  return rules;
}
