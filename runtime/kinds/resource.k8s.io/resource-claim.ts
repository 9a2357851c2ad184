import type { KubeObject, Part } from '../../machinery/object.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { validateImmutableField } from '../validation/fields.ts';

/** (SetDefaults_DeviceRequest, pkg/apis/resource/v1beta1/defaults.go) A request with alternatives leaves the rest to them. */
export function setDeviceRequestDefaults(request: Part): void {
  if (request.firstAvailable?.length > 0) return;
  request.allocationMode ||= 'ExactCount';
  if (request.allocationMode === 'ExactCount') request.count ||= 1;
}

/** Claims of devices and their templates keep what they ask for. (pkg/apis/resource/validation) */
export function validateResourceClaimUpdate(claim: Part, old: Part, field: Field): void {
  validateImmutableField(claim.spec, old.spec, field.child('spec'));
}

/** As `allocated,reserved`. */
export function resourceClaimState({ metadata, status }: KubeObject): string {
  const states: string[] = [];
  if (metadata.deletionTimestamp) states.push('deleted');
  if (status?.allocation) {
    states.push('allocated');
    if (status.reservedFor?.length > 0) states.push('reserved');
  } else if (!metadata.deletionTimestamp) states.push('pending');
  return states.join(',');
}
