import type { ListOptions } from '../../http/options/read-options.ts';
import { excerpt } from '../../machinery/errors/excerpt.ts';
import { badRequest, type StatusError } from '../../machinery/errors/status.ts';
import { quote, quoteExcerpt } from '../../machinery/go/quote.ts';
import type { ResourceDefinition } from '../../machinery/resource.ts';
import type { StoredObject } from '../../storage/object-store/contract.ts';

/** Which objects a list, watch or deletion of many is about. */
export interface SelectionPredicate {
  /** Absent: all objects of the namespace match. */
  readonly matches?: (stored: StoredObject) => boolean;
  /** Set where the selector can be true of one name only. */
  readonly name?: string;
  /** Set where the selector can be true in one namespace only. */
  readonly namespace?: string;
}

/**
 * Labels and fields are kept with every object, so that selecting decodes nothing.
 *
 * @param name of the path, or of the field selector
 * @throws StatusError 400
 */
export function selectionPredicate(
  definition: ResourceDefinition,
  options: ListOptions,
  name = '',
): SelectionPredicate {
  const { labelSelector, fieldSelector } = options;
  const unknown = fieldSelector.isEmpty ? undefined : fieldSelector.find((field) => !isSelectable(definition, field));
  if (unknown !== undefined) throw unselectable(definition, unknown);
  const exact = fieldSelector.requiresExactMatch('metadata.name');
  if (name !== '' && !fieldSelector.isEmpty && exact !== name) {
    throw badRequest("fieldSelector metadata.name doesn't match requested name");
  }
  const wanted = name === '' ? exact : name;
  const matches =
    labelSelector.isEmpty && !labelSelector.matchesNothing && fieldSelector.isEmpty
      ? undefined
      : (stored: StoredObject): boolean =>
          labelSelector.matches(stored.labels) && fieldSelector.matches((field) => stored.fields[field] ?? '');
  const namespace = definition.namespaced ? fieldSelector.requiresExactMatch('metadata.namespace') : undefined;
  return {
    ...(matches ? { matches } : {}),
    ...(wanted === undefined ? {} : { name: wanted }),
    ...(namespace === undefined || namespace === '' ? {} : { namespace }),
  };
}

/**
 * Kinds without fields of their own select by name and namespace; those with some, and custom resources, know of a
 * namespace only if they have one. (apimachinery pkg/runtime/conversion.go, each group's conversion.go,
 * apiextensions-apiserver pkg/apiserver/conversion/converter.go)
 */
function isSelectable(definition: ResourceDefinition, field: string): boolean {
  const { selectableFields, namespaced } = definition;
  if (field === 'metadata.name' || Object.hasOwn(selectableFields, field)) return true;
  return field === 'metadata.namespace' && (namespaced || !hasFields(definition));
}

const hasFields = ({ selectableFields, type }: ResourceDefinition): boolean =>
  type.unstructured === true || Object.keys(selectableFields).length > 0;

function unselectable(definition: ResourceDefinition, field: string): StatusError {
  if (hasFields(definition)) return badRequest(unsupportedField(definition, excerpt(field)));
  return badRequest(`${quoteExcerpt(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`);
}

function unsupportedField({ unsupportedFieldLabel: text }: ResourceDefinition, field: string): string {
  const template = text ?? 'field label not supported: {label}';
  return template.replace(/\{(label|quoted)\}/, (_, how) => (how === 'quoted' ? quote(field) : field));
}
