import { forbidden, invalid, notSupported, required } from '../../machinery/field-error.ts';
import { FieldPath } from '../../machinery/field-path.ts';
import type { Part } from '../../machinery/object.ts';
import { compareQuantities } from '../../machinery/scalars/quantity.ts';
import { checkFormat, checkImmutable, checkLabelSelector, type Errors, sameValue } from './checks.ts';
import { checkPositiveAmount, quantityOf } from './resource-lists.ts';
import { dnsSubdomain } from './text-formats.ts';

const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];

/** Modes are judged together: errors name the list. */
export function checkAccessModes(modes: readonly string[], path: FieldPath, errors: Errors): void {
  for (const mode of modes) if (!accessModes.includes(mode)) errors.push(notSupported(path, mode, accessModes));
  const known = modes.filter((mode) => accessModes.includes(mode));
  if (known.includes('ReadWriteOncePod') && known.some((mode) => mode !== 'ReadWriteOncePod')) {
    errors.push(forbidden(path, 'may not use ReadWriteOncePod with other access modes'));
  }
}

/** (ValidatePersistentVolumeClaimSpec) Also of claim templates. */
export function checkClaimSpec(spec: Part, path: FieldPath, errors: Errors): void {
  const modes = path.child('accessModes');
  if (!spec.accessModes?.length) errors.push(required(modes, 'at least 1 access mode is required'));
  checkLabelSelector(spec.selector, path.child('selector'), errors);
  checkAccessModes(spec.accessModes ?? [], modes, errors);
  const storage = spec.resources?.requests?.storage;
  const at = path.child('resources').key('storage');
  if (storage === undefined) errors.push(required(at));
  else checkPositiveAmount(storage, at, errors);
  if (spec.storageClassName) checkFormat(spec.storageClassName, dnsSubdomain, path.child('storageClassName'), errors);
  checkDataSource(spec.dataSource, path.child('dataSource'), errors);
  checkDataSource(spec.dataSourceRef, path.child('dataSourceRef'), errors);
  if (spec.volumeAttributesClassName) {
    checkFormat(spec.volumeAttributesClassName, dnsSubdomain, path.child('volumeAttributesClassName'), errors);
  }
}

function checkDataSource(source: Part, path: FieldPath, errors: Errors): void {
  if (!source) return;
  if (!source.name) errors.push(required(path.child('name')));
  if (!source.kind) errors.push(required(path.child('kind')));
  if (!source.apiGroup && source.kind !== 'PersistentVolumeClaim') {
    const detail = "must be 'PersistentVolumeClaim' when referencing the default apiGroup";
    errors.push(invalid(path, source.kind ?? '', detail));
  }
  if (source.apiGroup) checkFormat(source.apiGroup, dnsSubdomain, path.child('apiGroup'), errors);
}

/** Claims of their own: what stateful sets make claims of is judged when they are made. */
export function validateClaim(claim: Part, path: FieldPath, errors: Errors): void {
  if (path !== FieldPath.root) return;
  checkClaimSpec(claim.spec ?? {}, path.child('spec'), errors);
}

/**
 * (ValidatePersistentVolumeClaimUpdate) The volume's name may be filled in once; of a bound claim the size and the
 * class of attributes may change, the size downwards only to what was never reached.
 */
export function updateClaim(claim: Part, old: Part, path: FieldPath, errors: Errors): void {
  const bound = claim.status?.phase === 'Bound';
  const given = claim.spec ?? {};
  const before = old.spec ?? {};
  const resources = bound
    ? { ...given.resources, requests: { ...given.resources?.requests, storage: before.resources?.requests?.storage } }
    : given.resources;
  const comparable = {
    ...given,
    resources,
    ...(before.volumeName ? {} : { volumeName: before.volumeName }),
    ...(before.storageClassName === undefined ? { storageClassName: undefined } : {}),
    ...(bound ? { volumeAttributesClassName: before.volumeAttributesClassName } : {}),
  };
  const spec = path.child('spec');
  if (!sameValue(comparable, before)) {
    const what =
      'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';
    errors.push(forbidden(spec, what));
  }
  checkSize(claim, old, spec.child('resources', 'requests', 'storage'), errors);
  checkImmutable(given.volumeMode, before.volumeMode, path.child('volumeMode'), errors);
}

function checkSize(claim: Part, old: Part, path: FieldPath, errors: Errors): void {
  const size = claim.spec?.resources?.requests?.storage;
  const before = old.spec?.resources?.requests?.storage;
  if (size === undefined || before === undefined) return;
  if (compareQuantities(quantityOf(size), quantityOf(before)) >= 0) return;
  const reached = quantityOf(old.status?.capacity?.storage ?? '0');
  if (compareQuantities(quantityOf(size), reached) <= 0) {
    errors.push(forbidden(path, 'field can not be less than status.capacity'));
  }
}
