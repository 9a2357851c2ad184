import type { ResourceDefinition, StrategyFacts } from '../machinery/resource.ts';
import { FieldSet } from '../patch/fieldpath/field-set.ts';
import { type FieldSetFilter, matchAnyPathElement, newExcludeSetFilter, newIncludeMatcherFilter } from '../patch/fieldpath/filter.ts';
import { fieldElement, type Path } from '../patch/fieldpath/path-element.ts';

const filtersByStrategy = new WeakMap<StrategyFacts, Map<string, FieldSetFilter | undefined>>();

/**
 * Returns a filter that drops the fields that the strategy resets, such as the status in a write to the resource
 * itself. Returns undefined if the write can own every field. (rest.ResetFieldsStrategy)
 *
 * @param subresource "" for the resource itself
 */
export function resetFields({ strategy }: ResourceDefinition, subresource: string): FieldSetFilter | undefined {
  let filters = filtersByStrategy.get(strategy);
  if (filters === undefined) {
    filters = new Map();
    filtersByStrategy.set(strategy, filters);
  }
  if (!filters.has(subresource)) filters.set(subresource, makeFilter(strategy, subresource));
  return filters.get(subresource);
}

function makeFilter(strategy: StrategyFacts, subresource: string): FieldSetFilter | undefined {
  const ownableFields = strategy.ownableFields?.[subresource];
  if (ownableFields !== undefined) return newIncludeMatcherFilter(...ownableFields.map(pathOf));
  const reset = strategy.resetFields?.[subresource] ?? defaultResetFields(strategy, subresource);
  return reset.length === 0 ? undefined : newExcludeSetFilter(FieldSet.of(...reset.map(pathOf)));
}

function defaultResetFields({ statusFields }: StrategyFacts, subresource: string): readonly string[] {
  if (statusFields.length === 0) return [];
  if (subresource === '') return statusFields;
  return subresource === 'status' ? ['spec'] : [];
}

const pathOf = (dotted: string): Path =>
  dotted.split('.').map((step) => (step === matchAnyPathElement ? matchAnyPathElement : fieldElement(step)));
