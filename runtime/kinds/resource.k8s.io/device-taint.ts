import { ageOf } from '../../machinery/age.ts';
import type { KubeObject, Part } from '../../machinery/object.ts';

/** (SetDefaults_DeviceTaint) A taint counts from when it was first seen, to the second. */
export function setTaintTime(taint: Part): void {
  taint.timeAdded ??= new Date().toISOString().replace(/\.\d+Z$/, 'Z');
}

export const deviceTaintAdded = ({ spec }: KubeObject, now: number): string =>
  spec?.taint?.timeAdded ? ageOf(spec.taint.timeAdded, now) : '';
