import type * as core from '../../../generated/v1.35/core/v1/types.ts';
import { defined } from '../../machinery/json/defined.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { dnsLabel, dnsSubdomain } from '../../machinery/validation/name-formats.ts';
import { validateFormat } from '../validation/fields.ts';

/**
 * The source of a claim's initial content. `dataSource` is the older field, and `dataSourceRef` the newer, which may
 * have a namespace. Each is filled in from the other. (KEP-1495, pkg/api/persistentvolumeclaim/util.go)
 */

type Spec = Unvalidated<core.PersistentVolumeClaimSpec>;
type Source = Unvalidated<core.TypedLocalObjectReference>;
type SourceRef = Unvalidated<core.TypedObjectReference>;

/**
 * Called before a claim is created, or replaces the old one. (DropDisabledFields,
 * EnforceDataSourceBackwardsCompatibility, NormalizeDataSources)
 */
export function prepareDataSources(spec: Spec, old: Spec | undefined): void {
  // the gate CrossNamespaceVolumeDataSource is off
  if (spec.dataSourceRef?.namespace && !old?.dataSourceRef) delete spec.dataSourceRef;
  const isUsed = old?.dataSource !== undefined || old?.dataSourceRef !== undefined;
  if (!isUsed && spec.dataSourceRef === undefined && !isClaimOrSnapshot(spec.dataSource)) delete spec.dataSource;
  normalizeDataSources(spec);
}

/** (dataSourceIsPvcOrSnapshot) */
function isClaimOrSnapshot({ apiGroup, kind }: Source = {}): boolean {
  if (kind === 'PersistentVolumeClaim') return !apiGroup;
  return kind === 'VolumeSnapshot' && apiGroup === 'snapshot.storage.k8s.io';
}

/** (NormalizeDataSources) */
export function normalizeDataSources(spec: Spec): void {
  const { dataSource, dataSourceRef } = spec;
  if (dataSource && !dataSourceRef) spec.dataSourceRef = copyOf(dataSource);
  else if (dataSourceRef && !dataSource && !dataSourceRef.namespace) spec.dataSource = copyOf(dataSourceRef);
}

/** Returns a copy. An absent group becomes null. */
const copyOf = ({ apiGroup, kind = '', name = '' }: Source): Source => defined({ apiGroup, kind, name });

/** Reports whether a source has a group, even an empty one. */
export const hasGroup = (source: Source | undefined): boolean => (source?.apiGroup ?? undefined) !== undefined;

/** @param allowInvalidAPIGroup true if the stored claim has a group, which may be invalid */
export function validateDataSources(spec: Spec, field: Field, allowInvalidAPIGroup = false): void {
  const { dataSource, dataSourceRef } = spec;
  if (dataSource) validateDataSource(dataSource, allowInvalidAPIGroup, field.child('dataSource'));
  if (!dataSourceRef) return;
  validateDataSourceRef(dataSourceRef, allowInvalidAPIGroup, field.child('dataSourceRef'));
  if (!dataSource) return;
  // upstream shows the path of the other field as the value, which has no members
  if (dataSourceRef.namespace) field.invalid({}, 'may not be specified when dataSourceRef.namespace is specified');
  else if (!isSame(dataSource, dataSourceRef)) field.invalid({}, 'must match dataSourceRef');
}

/** (isDataSourceEqualDataSourceRef) */
const isSame = (source: Source, ref: SourceRef): boolean =>
  hasGroup(source) === hasGroup(ref) &&
  (source.apiGroup ?? '') === (ref.apiGroup ?? '') &&
  (source.kind ?? '') === (ref.kind ?? '') &&
  (source.name ?? '') === (ref.name ?? '');

/** (validateDataSource) */
function validateDataSource({ apiGroup, kind = '', name }: Source, allowInvalidAPIGroup: boolean, field: Field): void {
  if (!name) field.child('name').required();
  if (kind === '') field.child('kind').required();
  if (!apiGroup) {
    if (kind === 'PersistentVolumeClaim') return;
    field.invalid(kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup");
  } else if (!allowInvalidAPIGroup) validateFormat(apiGroup, dnsSubdomain, field.child('apiGroup'));
}

/** (validateDataSourceRef) */
function validateDataSourceRef(ref: SourceRef, allowInvalidAPIGroup: boolean, field: Field): void {
  validateDataSource(ref, allowInvalidAPIGroup, field);
  if (ref.namespace) validateFormat(ref.namespace, dnsLabel, field.child('namespace'));
}
