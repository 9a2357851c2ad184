import type * as storagemigration from '../../../generated/v1.35/storagemigration.k8s.io/v1beta1/types.ts';
import { GoStruct } from '../../machinery/go/value.ts';
import { equalPruned } from '../../machinery/json/equality.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import { Field } from '../../machinery/validation/field.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import { dns1035Label, dnsSubdomain } from '../../machinery/validation/name-formats.ts';
import type { RESTStrategy } from '../../resources/rest.ts';
import { validateConditions } from '../validation/conditions.ts';
import { immutableText } from '../validation/fields.ts';

/** (pkg/apis/storagemigration/validation) */

type StorageVersionMigration = Unvalidated<storagemigration.StorageVersionMigration>;
type Status = Unvalidated<storagemigration.StorageVersionMigrationStatus>;

export const migrationResource = ({ spec }: StorageVersionMigration): string =>
  [spec?.resource?.resource, spec?.resource?.group].filter(Boolean).join('.');

/** The first of these conditions that is true. */
export function migrationStatus({ status }: StorageVersionMigration): string {
  const isTrue = (type: string): boolean => status?.conditions?.some((one) => one.type === type && one.status === 'True') ?? false;
  return ['Succeeded', 'Failed', 'Running'].find(isTrue) ?? 'Unknown';
}

/** (ValidateStorageVersionMigration) */
export function validateStorageVersionMigration({ spec }: StorageVersionMigration, field: Field): void {
  const { resource = '', group = '' } = spec?.resource ?? {};
  const at = field.child('spec', 'resource');
  if (resource === '') at.child('resource').required('resource is required to be set');
  else validateJoined(resource, dns1035Label, at.child('resource'));
  if (group !== '') validateJoined(group, dnsSubdomain, at.child('group'));
}

function validateJoined(value: string, format: (text: string) => string[], field: Field): void {
  const problems = format(value);
  if (problems.length > 0) field.invalid(value, problems.join(','));
}

/** (pkg/registry/storagemigration/storagemigration) */
export const storageVersionMigrationStrategy: RESTStrategy = {
  validateUpdate(migration: StorageVersionMigration, old: StorageVersionMigration, errors, { part }) {
    const root = Field.at(FieldPath.root, errors);
    if (part === 'status') validateStatusUpdate(migration.status ?? {}, old.status ?? {}, root.child('status'));
    else if (!equalPruned(migration.spec, old.spec)) {
      root.child('spec').invalid(new GoStruct(() => ({ Resource: migration.spec?.resource })), immutableText);
    }
  },
};

/** A positive number without leading zeros. (apimachinery pkg/util/resourceversion CompareResourceVersion) */
const wellFormedVersion = /^[1-9][0-9]*$/;

/** (ValidateStorageVersionMigrationStatusUpdate) */
function validateStatusUpdate(status: Status, old: Status, field: Field): void {
  const { resourceVersion = '' } = status;
  const version = field.child('resourceVersion');
  if (!wellFormedVersion.test(resourceVersion)) {
    version.invalid(resourceVersion, `resource version is not well formed: ${resourceVersion}`);
  }
  validateConditions(status.conditions ?? [], field.child('conditions'));
  if (old.resourceVersion && old.resourceVersion !== resourceVersion) version.invalid(resourceVersion, immutableText);
  validateOutcome(status, old, field.child('conditions'));
}

function validateOutcome(status: Status, old: Status, field: Field): void {
  const invalid = (detail: string): void => field.invalid(status.conditions ?? null, detail);
  const succeeded = isTrue(status, 'Succeeded');
  const failed = isTrue(status, 'Failed');
  const running = isTrue(status, 'Running');
  if (succeeded && failed) invalid('Both success and failed conditions cannot be true at the same time');
  if (succeeded && running) invalid('Running condition cannot be true when success condition is true');
  if (failed && running) invalid('Running condition cannot be true when failed condition is true');
  if (!succeeded && isTrue(old, 'Succeeded')) invalid('Success condition cannot be set to false once it is true');
  if (!failed && isTrue(old, 'Failed')) invalid('Failed condition cannot be set to false once it is true');
}

/** The first condition of a type decides. (FindStatusCondition) */
const isTrue = ({ conditions }: Status, type: string): boolean =>
  conditions?.find((condition) => condition.type === type)?.status === 'True';
