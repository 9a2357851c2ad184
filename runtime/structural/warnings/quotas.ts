import { canonicalQuantity, compareQuantities, parseQuantity } from '../../machinery/scalars/quantity.ts';
import { none, type WarningRules } from './rules.ts';

/** Resources whose requests and limits a quota may both bound; those with `bare` names for requests first. */
const bounded = [
  { name: 'cpu', bare: true },
  { name: 'memory', bare: true },
  { name: 'storage', bare: false },
  { name: 'ephemeral-storage', bare: false },
];

/** More may be requested than limits allow. (pkg/registry/core/resourcequota/strategy.go) */
export const resourceQuotas: WarningRules = {
  onCreate({ spec }) {
    const hard = spec?.hard;
    if (!hard) return none;
    return bounded.flatMap(({ name, bare }) => {
      const request = hard[`requests.${name}`] === undefined && bare ? name : `requests.${name}`;
      const limit = `limits.${name}`;
      if (hard[request] === undefined || hard[limit] === undefined) return none;
      const [asked, allowed] = [String(hard[request]), String(hard[limit])];
      if (compareQuantities(parseQuantity(asked), parseQuantity(allowed)) <= 0) return none;
      const amounts = [canonicalQuantity(asked), canonicalQuantity(allowed)];
      return [`ResourceQuota ${request} (${amounts[0]}) should be less than ${limit} (${amounts[1]})`];
    });
  },
};
