import type { ManagedFieldsEntry } from '../../machinery/object.ts';
import { type FieldError, invalid, tooLong } from '../../machinery/validation/field-error.ts';
import { validateFieldManager } from '../../machinery/validation/field-manager.ts';
import type { FieldPath } from '../../machinery/validation/field-path.ts';

const maxSubresourceLength = 256;

/** Validates metadata.managedFields. (apimachinery pkg/apis/meta/v1/validation ValidateManagedFields) */
export function validateManagedFields(entries: readonly ManagedFieldsEntry[], path: FieldPath, errors: FieldError[]): void {
  for (const [index, { operation = '', fieldsType = '', manager = '', subresource = '' }] of entries.entries()) {
    const at = path.index(index);
    if (operation !== 'Apply' && operation !== 'Update') {
      errors.push(invalid(at.child('operation'), operation, 'must be `Apply` or `Update`'));
    }
    if (fieldsType !== '' && fieldsType !== 'FieldsV1') {
      errors.push(invalid(at.child('fieldsType'), fieldsType, 'must be `FieldsV1`'));
    }
    errors.push(...validateFieldManager(manager, at.child('manager')));
    if (Buffer.byteLength(subresource) > maxSubresourceLength) {
      errors.push(tooLong(at.child('subresource'), subresource, maxSubresourceLength));
    }
  }
}
