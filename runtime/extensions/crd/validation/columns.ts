import { type FieldError, invalid, required } from '../../../machinery/validation/field-error.ts';
import type { FieldPath } from '../../../machinery/validation/field-path.ts';
import type { PrinterColumn, Subresources } from './internal-spec.ts';

const types = ['boolean', 'date', 'integer', 'number', 'string'];
const formats = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];

/** (ValidateCustomResourceColumnDefinition) */
export function validateCustomResourceColumnDefinitions(
  columns: readonly PrinterColumn[] | undefined,
  path: FieldPath,
  errors: FieldError[],
): void {
  for (const [index, column] of (columns ?? []).entries()) checkColumn(column, path.index(index), errors);
}

function checkColumn(column: PrinterColumn, path: FieldPath, errors: FieldError[]): void {
  const { name, type, format, jsonPath } = column;
  if (!name) errors.push(required(path.child('name')));
  const oneOf = `must be one of ${types.join(',')}`;
  if (!type) errors.push(required(path.child('type'), oneOf));
  else if (!types.includes(type)) errors.push(invalid(path.child('type'), type, oneOf));
  if (format && !formats.includes(format)) {
    errors.push(invalid(path.child('format'), format, `must be one of ${formats.join(',')}`));
  }
  if (jsonPath) checkSimplePath(jsonPath, path.child('JSONPath'), errors);
  else errors.push(required(path.child('JSONPath')));
}

/** Appends an error and is false, unless the path begins with a dot. (validateSimpleJSONPath) */
function checkSimplePath(text: string, path: FieldPath, errors: FieldError[]): boolean {
  if (text.startsWith('.')) return true;
  errors.push(invalid(path, text, 'must be a simple json path starting with .'));
  return false;
}

/** (ValidateCustomResourceDefinitionSubresources) */
export function validateCustomResourceDefinitionSubresources(
  subresources: Subresources | undefined,
  path: FieldPath,
  errors: FieldError[],
): void {
  const scale = subresources?.scale;
  if (!scale) return;
  checkReplicasPath(scale.specReplicasPath, '.spec.', path.child('scale.specReplicasPath'), errors);
  checkReplicasPath(scale.statusReplicasPath, '.status.', path.child('scale.statusReplicasPath'), errors);
  const selector = scale.labelSelectorPath;
  if (!selector) return;
  const at = path.child('scale.labelSelectorPath');
  if (checkSimplePath(selector, at, errors) && !/^\.(?:spec|status)\./.test(selector)) {
    errors.push(invalid(at, selector, 'should be a json path under either .spec or .status'));
  }
}

function checkReplicasPath(text: string | undefined, below: string, path: FieldPath, errors: FieldError[]): void {
  if (!text) errors.push(required(path));
  else if (checkSimplePath(text, path, errors) && !text.startsWith(below)) {
    errors.push(invalid(path, text, `should be a json path under ${below.slice(0, -1)}`));
  }
}
