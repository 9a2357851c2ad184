import type { DeviceTaint, DeviceTaintRule } from '../../../generated/v1.35/resource.k8s.io/v1alpha3/types.ts';
import { ageOf } from '../../machinery/age.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';

/** Sets the time of the taint, in whole seconds. (SetDefaults_DeviceTaint) */
export function setDeviceTaintDefaults(taint: Unvalidated<DeviceTaint>): void {
  taint.timeAdded ??= new Date().toISOString().replace(/\.\d+Z$/, 'Z');
}

export const deviceTaintAdded = ({ spec }: Unvalidated<DeviceTaintRule>, now: number): string =>
  spec?.taint?.timeAdded ? ageOf(spec.taint.timeAdded, now) : '';
