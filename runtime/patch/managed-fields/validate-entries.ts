import { type FieldError, invalid, tooLong } from '../../machinery/field-error.ts';
import type { FieldPath } from '../../machinery/field-path.ts';
import type { ManagedFieldsEntry } from '../../machinery/object.ts';
import { isPrintable, longestManagerName } from './request-manager.ts';

const longestSubresource = 256;

/** What is wrong with metadata.managedFields. (apimachinery pkg/apis/meta/v1/validation ValidateManagedFields) */
export function validateEntries(entries: readonly ManagedFieldsEntry[], path: FieldPath, errors: FieldError[]): void {
  for (const [index, { operation = '', fieldsType = '', manager = '', subresource = '' }] of entries.entries()) {
    const at = path.index(index);
    if (operation !== 'Apply' && operation !== 'Update') {
      errors.push(invalid(at.child('operation'), operation, 'must be `Apply` or `Update`'));
    }
    if (fieldsType !== '' && fieldsType !== 'FieldsV1') {
      errors.push(invalid(at.child('fieldsType'), fieldsType, 'must be `FieldsV1`'));
    }
    validateManagerName(manager, at.child('manager'), errors);
    if (Buffer.byteLength(subresource) > longestSubresource) {
      errors.push(tooLong(at.child('subresource'), subresource, longestSubresource));
    }
  }
}

/** (ValidateFieldManager) */
export function validateManagerName(name: string, path: FieldPath, errors: FieldError[]): void {
  if (Buffer.byteLength(name) > longestManagerName) errors.push(tooLong(path, name, longestManagerName));
  let position = 0;
  for (const char of name) {
    if (!isPrintable(char)) {
      const code = (char.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0');
      errors.push(invalid(path, name, `invalid character U+${code} (at position ${position})`));
    }
    position += Buffer.byteLength(char);
  }
}
