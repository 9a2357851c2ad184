import type * as storage from '../../../generated/v1.35/storage.k8s.io/v1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import { Field } from '../../machinery/validation/field.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import { dnsSubdomain } from '../../machinery/validation/name-formats.ts';
import type { RESTStrategy } from '../../resources/rest.ts';
import { addNodeSelectorWarnings } from '../core/node-selector.ts';
import { validateNonnegativeQuantity } from '../core/resource-list.ts';
import { validateFormat, validateImmutableField } from '../validation/fields.ts';
import { hasInvalidLabelValueInLabelSelector, validateLabelSelector } from '../validation/labels.ts';
import { type WriteWarnings, warningsOnWrite } from '../warnings.ts';

type CSIStorageCapacity = Unvalidated<storage.CSIStorageCapacity>;

/** (pkg/registry/storage/csistoragecapacity/strategy.go) */
export const csiStorageCapacityStrategy: RESTStrategy = {
  validateCreate: (capacity: CSIStorageCapacity, errors) => validateCSIStorageCapacity(capacity, Field.at(FieldPath.root, errors)),
  validateUpdate(capacity: CSIStorageCapacity, old: CSIStorageCapacity, errors) {
    const field = Field.at(FieldPath.root, errors);
    validateCSIStorageCapacity(capacity, field, hasInvalidLabelValueInLabelSelector(old.nodeTopology));
    const { nodeTopology, storageClassName = '' } = capacity;
    validateImmutableField(nodeTopology, old.nodeTopology, field.child('nodeTopology'));
    validateImmutableField(storageClassName, old.storageClassName, field.child('storageClassName'));
  },
};

/** (ValidateCSIStorageCapacity) */
function validateCSIStorageCapacity(
  { nodeTopology, storageClassName = '', capacity }: CSIStorageCapacity,
  field: Field,
  allowInvalidLabelValueInSelector = false,
): void {
  validateLabelSelector(nodeTopology, field.child('nodeTopology'), { allowInvalidLabelValueInSelector });
  validateFormat(storageClassName, dnsSubdomain, field.child('storageClassName'));
  if (capacity !== undefined) validateNonnegativeQuantity(capacity, field.child('capacity'));
}

/** (pkg/api/storage/util.go, GetWarningsForCSIStorageCapacity) */
export const csiStorageCapacityWarnings: WriteWarnings<CSIStorageCapacity> = warningsOnWrite(({ nodeTopology }) => {
  const warnings: string[] = [];
  addNodeSelectorWarnings(nodeTopology, 'nodeTopology', warnings);
  return warnings;
});
