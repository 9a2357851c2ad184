import type * as resource from '../../../generated/v1.35/resource.k8s.io/v1/types.ts';
import type { DeviceRequest } from '../../../generated/v1.35/resource.k8s.io/v1beta1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { validateImmutableField } from '../validation/fields.ts';

type ResourceClaim = Unvalidated<resource.ResourceClaim>;

/** Requests with alternatives have no defaults. (SetDefaults_DeviceRequest, pkg/apis/resource/v1beta1/defaults.go) */
export function setDeviceRequestDefaults(request: Unvalidated<DeviceRequest>): void {
  if (request.firstAvailable?.length) return;
  request.allocationMode ||= 'ExactCount';
  if (request.allocationMode === 'ExactCount') request.count ||= 1;
}

type ClaimOrTemplate = Unvalidated<resource.ResourceClaim | resource.ResourceClaimTemplate>;

/** (ValidateResourceClaimUpdate, ValidateResourceClaimTemplateUpdate, pkg/apis/resource/validation) */
export function validateResourceClaimUpdate(claim: ClaimOrTemplate, old: ClaimOrTemplate, field: Field): void {
  validateImmutableField(claim.spec, old.spec, field.child('spec'));
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
