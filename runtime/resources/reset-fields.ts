import type { ResourceDefinition, StrategyFacts } from '../machinery/resource.ts';
import { FieldSet } from '../patch/field-set/field-set.ts';
import { anyElement, excluding, type FieldFilter, including } from '../patch/field-set/filter.ts';
import { fieldElement, type Path } from '../patch/field-set/path-element.ts';

const known = new WeakMap<StrategyFacts, Map<string, FieldFilter | undefined>>();

/**
 * What a write through an endpoint can own: not what it cannot set, as the status through the resource itself. Undefined
 * where that is everything. (GetResetFields of each kind's strategy upstream)
 */
export function resetFields({ strategy }: ResourceDefinition, subresource: string): FieldFilter | undefined {
  let filters = known.get(strategy);
  if (filters === undefined) {
    filters = new Map();
    known.set(strategy, filters);
  }
  if (!filters.has(subresource)) filters.set(subresource, makeFilter(strategy, subresource));
  return filters.get(subresource);
}

function makeFilter(strategy: StrategyFacts, subresource: string): FieldFilter | undefined {
  const ownable = strategy.ownableFields?.[subresource];
  if (ownable !== undefined) return including(...ownable.map(pathOf));
  const reset = strategy.resetFields?.[subresource] ?? usual(strategy, subresource);
  return reset.length === 0 ? undefined : excluding(FieldSet.of(...reset.map(pathOf)));
}

function usual({ statusFields }: StrategyFacts, subresource: string): readonly string[] {
  if (statusFields.length === 0) return [];
  if (subresource === '') return statusFields;
  return subresource === 'status' ? ['spec'] : [];
}

const pathOf = (dotted: string): Path =>
  dotted.split('.').map((step) => (step === anyElement ? anyElement : fieldElement(step)));
