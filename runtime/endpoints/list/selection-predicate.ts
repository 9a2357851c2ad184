import type { ListOptions } from '../../http/options/read-options.ts';
import { excerpt } from '../../machinery/errors/excerpt.ts';
import { badRequest, type StatusError } from '../../machinery/errors/status.ts';
import { quote, quoteExcerpt } from '../../machinery/go/quote.ts';
import { defined } from '../../machinery/json/defined.ts';
import type { ResourceDefinition } from '../../machinery/resource.ts';
import type { StoredObject } from '../../storage/object-store/contract.ts';

/** The selection of a list, watch or deletecollection. (storage.SelectionPredicate) */
export interface SelectionPredicate {
  /** Absent if all objects match. */
  readonly matches?: (stored: StoredObject) => boolean;
  /** Set if only objects with this name can match. (MatchesSingle) */
  readonly name?: string;
  /** Set if only objects in this namespace can match. (MatchesSingleNamespace) */
  readonly namespace?: string;
}

/**
 * Makes a predicate of the selectors. Stored objects have their labels and fields beside them, so matching decodes nothing.
 *
 * @param name the name in the path; "" for none
 * @throws StatusError 400
 */
export function selectionPredicate(definition: ResourceDefinition, options: ListOptions, name = ''): SelectionPredicate {
  const { labelSelector, fieldSelector } = options;
  const unknown = fieldSelector.isEmpty ? undefined : fieldSelector.find((field) => !isSelectable(definition, field));
  if (unknown !== undefined) throw unsupportedFieldError(definition, unknown);
  const exactName = fieldSelector.requiresExactMatch('metadata.name');
  if (name !== '' && !fieldSelector.isEmpty && exactName !== name) {
    throw badRequest("fieldSelector metadata.name doesn't match requested name");
  }
  const onlyName = name === '' ? exactName : name;
  const matches =
    labelSelector.isEmpty && !labelSelector.matchesNothing && fieldSelector.isEmpty
      ? undefined
      : (stored: StoredObject): boolean =>
          labelSelector.matches(stored.labels) && fieldSelector.matches((field) => stored.fields[field] ?? '');
  const namespace = definition.namespaced ? fieldSelector.requiresExactMatch('metadata.namespace') : undefined;
  return {
    ...(matches ? { matches } : {}),
    ...defined({ name: onlyName }),
    ...(namespace === undefined || namespace === '' ? {} : { namespace }),
  };
}

/**
 * Kinds without field labels can be selected by name and namespace. Kinds with field labels, and unstructured ones, can be
 * selected by namespace only if they have one. (apimachinery pkg/runtime/conversion.go, each group's conversion.go,
 * apiextensions-apiserver pkg/apiserver/conversion/converter.go)
 */
function isSelectable(definition: ResourceDefinition, field: string): boolean {
  const { selectableFields, namespaced, selectableByNamespace = true } = definition;
  if (field === 'metadata.name' || Object.hasOwn(selectableFields, field)) return true;
  return field === 'metadata.namespace' && ((namespaced && selectableByNamespace) || !hasFieldLabels(definition));
}

const hasFieldLabels = ({ selectableFields, type }: ResourceDefinition): boolean =>
  type.unstructured === true || Object.keys(selectableFields).length > 0;

function unsupportedFieldError(definition: ResourceDefinition, field: string): StatusError {
  if (hasFieldLabels(definition)) return badRequest(unsupportedFieldLabel(definition, excerpt(field)));
  return badRequest(`${quoteExcerpt(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`);
}

function unsupportedFieldLabel({ unsupportedFieldLabel: text }: ResourceDefinition, label: string): string {
  const template = text ?? 'field label not supported: {label}';
  return template.replace(/\{(label|quoted)\}/, (_, which) => (which === 'quoted' ? quote(label) : label));
}
