import type { ResourceDefinition, StrategyFacts } from '../machinery/resource.ts';
import { FieldSet } from '../patch/fieldpath/field-set.ts';
import {
  type FieldSetFilter,
  matchAnyPathElement,
  newExcludeSetFilter,
  newIncludeMatcherFilter,
} from '../patch/fieldpath/filter.ts';
import { fieldElement, type Path } from '../patch/fieldpath/path-element.ts';

const known = new WeakMap<StrategyFacts, Map<string, FieldSetFilter | undefined>>();

/**
 * What a write through an endpoint can own: not what it cannot set, as the status through the resource itself. Undefined
 * where that is everything. (GetResetFields of each kind's strategy upstream)
 */
export function resetFields({ strategy }: ResourceDefinition, subresource: string): FieldSetFilter | undefined {
  let filters = known.get(strategy);
  if (filters === undefined) {
    filters = new Map();
    known.set(strategy, filters);
  }
  if (!filters.has(subresource)) filters.set(subresource, makeFilter(strategy, subresource));
  return filters.get(subresource);
}

function makeFilter(strategy: StrategyFacts, subresource: string): FieldSetFilter | undefined {
  const ownable = strategy.ownableFields?.[subresource];
  if (ownable !== undefined) return newIncludeMatcherFilter(...ownable.map(pathOf));
  const reset = strategy.resetFields?.[subresource] ?? usual(strategy, subresource);
  return reset.length === 0 ? undefined : newExcludeSetFilter(FieldSet.of(...reset.map(pathOf)));
}

function usual({ statusFields }: StrategyFacts, subresource: string): readonly string[] {
  if (statusFields.length === 0) return [];
  if (subresource === '') return statusFields;
  return subresource === 'status' ? ['spec'] : [];
}

const pathOf = (dotted: string): Path =>
  dotted.split('.').map((step) => (step === matchAnyPathElement ? matchAnyPathElement : fieldElement(step)));
