import type {
  CustomResourceColumnDefinition,
  CustomResourceSubresources,
} from '../../../../generated/v1.35/apiextensions.k8s.io/v1/types.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import type { Field } from '../../../machinery/validation/field.ts';

const types = ['boolean', 'date', 'integer', 'number', 'string'];
const formats = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];

/** (ValidateCustomResourceColumnDefinition) */
export function validateCustomResourceColumnDefinitions(
  columns: readonly Unvalidated<CustomResourceColumnDefinition>[] | undefined,
  field: Field,
): void {
  for (const [index, column] of (columns ?? []).entries()) validateColumn(column, field.index(index));
}

function validateColumn(column: Unvalidated<CustomResourceColumnDefinition>, field: Field): void {
  const { name, type, format, jsonPath } = column;
  if (!name) field.child('name').required();
  const oneOf = `must be one of ${types.join(',')}`;
  if (!type) field.child('type').required(oneOf);
  else if (!types.includes(type)) field.child('type').invalid(type, oneOf);
  if (format && !formats.includes(format)) {
    field.child('format').invalid(format, `must be one of ${formats.join(',')}`);
  }
  if (jsonPath) validateSimpleJSONPath(jsonPath, field.child('JSONPath'));
  else field.child('JSONPath').required();
}

/** Returns false, and adds an error, if the path does not begin with a dot. */
function validateSimpleJSONPath(text: string, field: Field): boolean {
  if (text.startsWith('.')) return true;
  field.invalid(text, 'must be a simple json path starting with .');
  return false;
}

/** (ValidateCustomResourceDefinitionSubresources) */
export function validateCustomResourceDefinitionSubresources(
  subresources: Unvalidated<CustomResourceSubresources> | undefined,
  field: Field,
): void {
  const scale = subresources?.scale;
  if (!scale) return;
  validateReplicasPath(scale.specReplicasPath, '.spec.', field.child('scale.specReplicasPath'));
  validateReplicasPath(scale.statusReplicasPath, '.status.', field.child('scale.statusReplicasPath'));
  const selector = scale.labelSelectorPath;
  if (!selector) return;
  const at = field.child('scale.labelSelectorPath');
  if (validateSimpleJSONPath(selector, at) && !/^\.(?:spec|status)\./.test(selector)) {
    at.invalid(selector, 'should be a json path under either .spec or .status');
  }
}

function validateReplicasPath(text: string | undefined, prefix: string, field: Field): void {
  if (!text) field.required();
  else if (validateSimpleJSONPath(text, field) && !text.startsWith(prefix)) {
    field.invalid(text, `should be a json path under ${prefix.slice(0, -1)}`);
  }
}
