import { formatGroupResource } from '../../../machinery/gvk.ts';
import { type Amounts, countOf } from '../../../machinery/scalars/resource-amounts.ts';
import type { Evaluator, Measure } from '../evaluator.ts';
import { noScopes } from '../scopes.ts';

/** Returns `count/deployments.apps` or `count/pods`. (ObjectCountQuotaResourceNameFor) */
export const objectCountName = (group: string, resource: string): string => `count/${formatGroupResource({ group, resource })}`;

export const one = countOf(1);

/**
 * Returns an evaluator that counts objects. (apiserver pkg/quota/v1/generic NewObjectCountEvaluator)
 *
 * @param alias an older name of the count
 */
export function objectCountEvaluator(group: string, resource: string, alias?: string): Evaluator {
  const name = objectCountName(group, resource);
  const usage: Amounts = new Map([name, ...(alias === undefined ? [] : [alias])].map((each) => [each, one]));
  const each: Measure = { usage, scopes: noScopes };
  return {
    group,
    resource,
    each,
    handles: (operation, subresource) => operation === 'CREATE' && subresource === '',
    matches: (candidate) => usage.has(candidate),
    measure: () => each,
  };
}
