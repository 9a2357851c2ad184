import type { ListOptions } from '../../http/query.ts';
import { quote } from '../../machinery/quote.ts';
import type { ResourceDefinition } from '../../machinery/resource.ts';
import { badRequest } from '../../machinery/status.ts';
import type { StoredObject } from '../../storage/object-store/contract.ts';

/** Which objects a list, watch or deletion of many is about. */
export interface Selection {
  /** Absent: all objects of the namespace match. */
  readonly matches?: (stored: StoredObject) => boolean;
  /** Set where the selector can be true of one name only. */
  readonly name?: string;
}

/** Labels and fields are kept with every object, so that selecting decodes nothing. @throws StatusError 400 */
export function selectionOf(definition: ResourceDefinition, options: ListOptions, name = ''): Selection {
  const { labelSelector, fieldSelector } = options;
  for (const { field } of fieldSelector.requirements) requireSelectable(definition, field);
  const exact = name === '' ? fieldSelector.requiresExactMatch('metadata.name') : name;
  const matches =
    labelSelector.isEmpty && !labelSelector.matchesNothing && fieldSelector.isEmpty
      ? undefined
      : (stored: StoredObject): boolean =>
          labelSelector.matches(stored.labels) && fieldSelector.matches((field) => stored.fields[field] ?? '');
  return { ...(matches ? { matches } : {}), ...(exact === undefined ? {} : { name: exact }) };
}

/** (apimachinery pkg/runtime/conversion.go, and each group's conversion.go) */
function requireSelectable({ selectableFields }: ResourceDefinition, field: string): void {
  if (field === 'metadata.name' || field === 'metadata.namespace' || Object.hasOwn(selectableFields, field)) return;
  if (Object.keys(selectableFields).length > 0) throw badRequest(`field label not supported: ${field}`);
  throw badRequest(`${quote(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`);
}
