import type { Part } from '../../machinery/object.ts';

/** (SetDefaults_DeviceRequest, pkg/apis/resource/v1beta1/defaults.go) A request with alternatives leaves the rest to them. */
export function setDeviceRequestDefaults(request: Part): void {
  if (request.firstAvailable?.length > 0) return;
  request.allocationMode ||= 'ExactCount';
  if (request.allocationMode === 'ExactCount') request.count ||= 1;
}

/** (SetDefaults_DeviceTaint) A taint counts from when it was first seen, to the second. */
export function setTaintTime(taint: Part): void {
  taint.timeAdded ??= new Date().toISOString().replace(/\.\d+Z$/, 'Z');
}
