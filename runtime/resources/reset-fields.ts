import type { ResourceDefinition, WriteRules } from '../machinery/resource.ts';
import { FieldSet } from '../patch/fieldpath/field-set.ts';
import { type FieldSetFilter, newExcludeSetFilter } from '../patch/fieldpath/filter.ts';
import { fieldElement, type Path } from '../patch/fieldpath/path-element.ts';

const filtersByRules = new WeakMap<WriteRules, Map<string, FieldSetFilter | undefined>>();

/**
 * Returns a filter that drops the fields that the rules for writes reset, such as the status in a write to the resource
 * itself. Returns undefined if the write can own every field. (rest.ResetFieldsStrategy)
 *
 * @param subresource "" for the resource itself
 */
export function resetFields({ writeRules }: ResourceDefinition, subresource: string): FieldSetFilter | undefined {
  let filters = filtersByRules.get(writeRules);
  if (filters === undefined) {
    filters = new Map();
    filtersByRules.set(writeRules, filters);
  }
  if (!filters.has(subresource)) filters.set(subresource, makeFilter(writeRules, subresource));
  return filters.get(subresource);
}

function makeFilter(writeRules: WriteRules, subresource: string): FieldSetFilter | undefined {
  const reset = writeRules.resetFields?.[subresource] ?? defaultResetFields(writeRules, subresource);
  return reset.length === 0 ? undefined : newExcludeSetFilter(FieldSet.of(...reset.map(pathOf)));
}

function defaultResetFields({ statusFields }: WriteRules, subresource: string): readonly string[] {
  if (statusFields.length === 0) return [];
  if (subresource === '') return statusFields;
  return subresource === 'status' ? ['spec'] : [];
}

const pathOf = (dotted: string): Path => dotted.split('.').map(fieldElement);
