import type * as resource from '../../../generated/v1.35/resource.k8s.io/v1/types.ts';
import type { DeviceRequest } from '../../../generated/v1.35/resource.k8s.io/v1beta1/types.ts';
import { equalPruned } from '../../machinery/json/equality.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import { Field } from '../../machinery/validation/field.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import type { RESTStrategy } from '../../resources/rest.ts';
import { immutableText } from '../validation/fields.ts';
import { AdminAccess, indexOfAdmin } from './admin-access.ts';
import { deviceID, validateResourceClaimStatusUpdate } from './claim-status.ts';
import { atStorageVersion } from './conversion.ts';
import { validateDeviceClaim } from './device-claim.ts';
import { internalClaimSpec } from './internal-types.ts';

/** (pkg/registry/resource/resourceclaim/strategy.go) */

type ResourceClaim = Unvalidated<resource.ResourceClaim>;
type ResourceClaimSpec = Unvalidated<resource.ResourceClaimSpec>;

/**
 * Requests without a class have alternatives and get no defaults. (SetDefaults_DeviceRequest,
 * pkg/apis/resource/v1beta1/defaults.go)
 */
export function setDeviceRequestDefaults(request: Unvalidated<DeviceRequest>): void {
  if (!request.deviceClassName) return;
  request.allocationMode ||= 'ExactCount';
  if (request.allocationMode === 'ExactCount') request.count ||= 1;
}

const adminAccess = new AdminAccess();

/** Returns the path of a claim's first request for admin access; undefined without one. Templates use the same path. */
export function adminAccessPath(spec: ResourceClaimSpec | undefined): FieldPath | undefined {
  const index = indexOfAdmin(spec?.devices?.requests?.map(({ exactly }) => exactly) ?? []);
  return index < 0 ? undefined : FieldPath.of('spec', 'devices', 'requests').index(index).child('adminAccess');
}

const resultsOf = ({ status }: ResourceClaim) => status?.allocation?.devices?.results ?? [];

export const resourceClaimStrategy: RESTStrategy = {
  returnDeletedObject: true,
  async prepareForCreate(claim: ResourceClaim & KubeObject, context) {
    const { spec }: ResourceClaim = atStorageVersion(claim, context);
    const path = adminAccessPath(spec);
    if (path) await adminAccess.ask(claim, path, context);
  },
  async prepareForUpdate(claim: ResourceClaim & KubeObject, old: ResourceClaim, context) {
    if (context.part !== 'status') return;
    dropDeallocatedStatusDevices(claim, old);
    const index = indexOfAdmin(resultsOf(claim));
    if (index < 0 || indexOfAdmin(resultsOf(old)) >= 0) return;
    const path = FieldPath.of('status', 'allocation', 'devices', 'results').index(index).child('adminAccess');
    await adminAccess.ask(claim, path, context);
  },
  validateCreate(claim: KubeObject, errors, context) {
    adminAccess.report(claim, errors);
    const { spec }: ResourceClaim = atStorageVersion(claim, context);
    validateDeviceClaim(spec?.devices ?? {}, Field.at(FieldPath.of('spec', 'devices'), errors));
  },
  /** The spec is immutable. Since v1.35 it is not validated again. */
  validateUpdate(claim: KubeObject, old: KubeObject, errors, context) {
    const now: ResourceClaim = atStorageVersion(claim, context);
    const before: ResourceClaim = atStorageVersion(old, context);
    const field = Field.at(FieldPath.root, errors);
    if (context.part === 'status') {
      adminAccess.report(claim, errors);
      validateResourceClaimStatusUpdate(now, before, field);
      return;
    }
    if (!field.follows('ImmutableClaimIsNotReadAgain')) validateDeviceClaim(now.spec?.devices ?? {}, field.child('spec', 'devices'));
    if (!equalPruned(now.spec, before.spec)) field.child('spec').invalid(internalClaimSpec(now.spec), immutableText);
  },
};

/** Removes the status of devices together with their allocation. (dropDeallocatedStatusDevices) */
function dropDeallocatedStatusDevices(claim: ResourceClaim, old: ResourceClaim): void {
  const { status } = claim;
  if (!status?.devices || !old.status?.allocation) return;
  const deallocated = new Set(resultsOf(old).map(deviceID));
  for (const result of resultsOf(claim)) deallocated.delete(deviceID(result));
  status.devices = status.devices.filter((device) => !deallocated.has(deviceID(device)));
  if (status.devices.length === 0) delete status.devices;
}

/** For example `allocated,reserved`. (resourceClaimState) */
export function resourceClaimState({ metadata, status }: ResourceClaim): string {
  const states: string[] = [];
  if (metadata?.deletionTimestamp) states.push('deleted');
  if (status?.allocation) {
    states.push('allocated');
    if (status.reservedFor?.length) states.push('reserved');
  } else if (!metadata?.deletionTimestamp) states.push('pending');
  return states.join(',');
}
