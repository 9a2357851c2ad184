import { warnOfCIDR } from './addresses.ts';
import { labelWarning } from './node-labels.ts';
import { always, type WarningRules } from './rules.ts';

/** (pkg/registry/core/node/strategy.go) */
export const nodes: WarningRules = always(({ spec }) => {
  const warnings: string[] = [];
  if (spec?.configSource) warnings.push('spec.configSource: the feature is removed');
  if (spec?.externalID) {
    warnings.push('spec.externalID: this field is deprecated, and is unused by Kubernetes');
  }
  for (const [index, block] of (spec?.podCIDRs ?? []).entries()) {
    warnOfCIDR(`spec.podCIDRs[${index}]`, block, warnings);
  }
  return warnings;
});

/** (pkg/api/node/util.go) */
export const runtimeClasses: WarningRules = always(({ scheduling }) =>
  Object.keys(scheduling?.nodeSelector ?? {})
    .map(labelWarning)
    .filter((why) => why !== undefined)
    .map((why) => `scheduling.nodeSelector: ${why}`),
);
