import type * as storage from '../../../generated/v1.35/storage.k8s.io/v1/types.ts';
import { equalPruned } from '../../machinery/json/equality.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import { Field } from '../../machinery/validation/field.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import type { RESTStrategy } from '../../resources/rest.ts';
import { validateEnum, validateImmutableField } from '../validation/fields.ts';
import { none, type WriteWarnings } from '../warnings.ts';

type CSIDriver = Unvalidated<storage.CSIDriver>;
type CSIDriverSpec = Unvalidated<storage.CSIDriverSpec>;

/** (pkg/registry/storage/csidriver/strategy.go) */
export const csiDriverStrategy: RESTStrategy = {
  returnDeletedObject: true,
  /** A new driver has no generation. */
  prepareForUpdate(driver: CSIDriver & KubeObject, old: CSIDriver & KubeObject) {
    if (!equalPruned(driver.spec, old.spec)) driver.metadata.generation = (old.metadata.generation ?? 0) + 1;
  },
  validate({ spec = {} }: CSIDriver, errors) {
    validateCSIDriverSpec(spec, Field.at(FieldPath.of('spec'), errors));
  },
  /** (ValidateCSIDriverUpdate) */
  validateUpdate({ spec }: CSIDriver, { spec: old }: CSIDriver, errors) {
    const field = Field.at(FieldPath.of('spec'), errors);
    // upstream's spelling of the field
    validateImmutableField(spec?.attachRequired, old?.attachRequired, field.child('attachedRequired'));
    validateImmutableField(spec?.volumeLifecycleModes, old?.volumeLifecycleModes, field.child('volumeLifecycleModes'));
  },
};

/** Fields with defaults are not required here. (validateCSIDriverSpec) */
function validateCSIDriverSpec(spec: CSIDriverSpec, field: Field): void {
  const { fsGroupPolicy, nodeAllocatableUpdatePeriodSeconds: period, serviceAccountTokenInSecrets: inSecrets } = spec;
  if (fsGroupPolicy !== undefined) {
    validateEnum(fsGroupPolicy, ['File', 'None', 'ReadWriteOnceWithFSType'], field.child('fsGroupPolicy'));
  }
  validateTokenRequests(spec.tokenRequests ?? [], field.child('tokenRequests'));
  for (const mode of spec.volumeLifecycleModes ?? []) {
    validateEnum(mode, ['Persistent', 'Ephemeral'], field.child('volumeLifecycleModes'));
  }
  if (period !== undefined && period < 10) {
    const at = field.child('nodeAllocatableUpdatePeriodSeconds');
    at.invalid(period, 'must be greater than or equal to 10 seconds');
  }
  if (inSecrets !== undefined && !spec.tokenRequests?.length) {
    const detail = 'serviceAccountTokenInSecrets is set but no tokenRequests are specified';
    field.child('serviceAccountTokenInSecrets').invalid(inSecrets, detail);
  }
}

/** (validateTokenRequests) */
function validateTokenRequests(requests: readonly Unvalidated<storage.TokenRequest>[], field: Field): void {
  const audiences = new Set<string>();
  for (const [index, { audience = '', expirationSeconds: seconds }] of requests.entries()) {
    const at = field.index(index);
    if (audiences.has(audience)) {
      at.child('audience').duplicate(audience);
      continue;
    }
    audiences.add(audience);
    if (seconds !== undefined) validateTokenExpiration(seconds, at.child('expirationSeconds'));
  }
}

/** The expiration of a token of a driver, or of one that is projected into a volume. */
export function validateTokenExpiration(seconds: number | bigint, field: Field): void {
  if (seconds < 600) field.invalid(seconds, 'may not specify a duration less than 10 minutes');
  if (seconds > 2 ** 32) field.invalid(seconds, 'may not specify a duration larger than 2^32 seconds');
}

const tokenWarnings: readonly string[] = [
  'spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes',
];

const requestsTokens = ({ spec }: CSIDriver): boolean =>
  (spec?.tokenRequests ?? []).length > 0 && spec?.serviceAccountTokenInSecrets === undefined;

export const csiDriverWarnings: WriteWarnings<CSIDriver> = {
  warningsOnCreate: (driver) => (requestsTokens(driver) ? tokenWarnings : none),
  warningsOnUpdate: (driver, old) =>
    requestsTokens(driver) && !equalPruned(driver.spec?.tokenRequests, old.spec?.tokenRequests) ? tokenWarnings : none,
};

export const csiDriverTokenRequests = ({ spec }: CSIDriver): string =>
  spec?.tokenRequests === undefined ? '<unset>' : spec.tokenRequests.map(({ audience = '' }) => audience).join(',');
export const csiDriverModes = ({ spec }: CSIDriver): string => spec?.volumeLifecycleModes?.join(',') || '<none>';
