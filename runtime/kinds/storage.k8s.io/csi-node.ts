import type * as storage from '../../../generated/v1.35/storage.k8s.io/v1/types.ts';
import { equalPruned } from '../../machinery/json/equality.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import { Field } from '../../machinery/validation/field.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import { byteLength, labelKey as qualifiedName } from '../../machinery/validation/name-formats.ts';
import type { RESTStrategy } from '../../resources/rest.ts';
import { validateCSIDriverName } from '../core/csi-driver-name.ts';
import type { KindFeatures } from '../features.ts';
import { immutableText, validateFormat, validateNonnegativeField } from '../validation/fields.ts';
import { internalStruct, type Shape } from '../validation/internal-value.ts';

type CSINode = Unvalidated<storage.CSINode>;
type CSINodeDriver = Unvalidated<storage.CSINodeDriver>;

/** (pkg/registry/storage/csinode/strategy.go) */
export const newCSINodeStrategy = ({ MutableCSINodeAllocatableCount: isMutable = false }: KindFeatures): RESTStrategy => ({
  returnDeletedObject: true,
  validateCreate: (node: CSINode, errors) => validateCSINode(node, Field.at(FieldPath.of('spec', 'drivers'), errors)),
  validateUpdate(node: CSINode, old: CSINode, errors) {
    const field = Field.at(FieldPath.of('spec', 'drivers'), errors);
    const before = errors.length;
    validateCSINode(node, field);
    // upstream validates the object again
    if (errors.length > before) validateCSINode(node, field);
    validateCSINodeUpdate(node, old, isMutable, field);
  },
});

/** (ValidateCSINode, validateCSINodeDriver) */
function validateCSINode({ spec }: CSINode, field: Field): void {
  const seen = new Set<string>();
  for (const [index, driver] of (spec?.drivers ?? []).entries()) {
    const at = field.index(index);
    const { name = '', nodeID = '', allocatable, topologyKeys } = driver;
    validateCSIDriverName(name, at.child('name'));
    validateNodeID(nodeID, at.child('nodeID'));
    validateNonnegativeField(allocatable?.count, at.child('allocatable', 'count'));
    if (seen.has(name)) at.child('name').duplicate(name);
    seen.add(name);
    validateTopologyKeys(topologyKeys ?? [], at);
  }
}

const maxNodeIDLength = 256;

/** (validateCSINodeDriverNodeID) */
function validateNodeID(nodeID: string, field: Field): void {
  if (nodeID === '') field.required();
  if (byteLength(nodeID) > maxNodeIDLength) field.invalid(nodeID, `must be ${maxNodeIDLength} characters or less`);
}

/** Errors name the driver, as upstream's do. */
function validateTopologyKeys(keys: readonly string[], field: Field): void {
  const seen = new Set<string>();
  for (const key of keys) {
    if (key === '') field.required();
    if (seen.has(key)) field.duplicate(key);
    seen.add(key);
    validateFormat(key, qualifiedName, field);
  }
}

const driverShape: Shape = { name: '', nodeID: '', topologyKeys: null, allocatable: { count: null } };

/**
 * Only the allocatable resources of a registered driver may change, and without the gate MutableCSINodeAllocatableCount not even
 * these. (ValidateCSINodeUpdate)
 */
function validateCSINodeUpdate({ spec }: CSINode, { spec: oldSpec }: CSINode, isMutable: boolean, field: Field): void {
  const drivers = new Map<string, CSINodeDriver>();
  for (const driver of spec?.drivers ?? []) drivers.set(driver.name ?? '', driver);
  const fixed = (driver: CSINodeDriver): CSINodeDriver => (isMutable ? withoutAllocatable(driver) : driver);
  for (const old of oldSpec?.drivers ?? []) {
    const driver = drivers.get(old.name ?? '');
    if (driver === undefined) continue;
    const now = fixed(driver);
    if (!equalPruned(now, fixed(old))) field.invalid(internalStruct(now, driverShape), immutableText);
  }
}

const withoutAllocatable = ({ allocatable: _, ...driver }: CSINodeDriver): CSINodeDriver => driver;

export const csiNodeDrivers = ({ spec }: CSINode): number => spec?.drivers?.length ?? 0;
