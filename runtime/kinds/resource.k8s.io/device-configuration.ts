import type * as resource from '../../../generated/v1.35/resource.k8s.io/v1/types.ts';
import { isJsonObject } from '../../machinery/json/values.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { byteLength } from '../../machinery/validation/name-formats.ts';
import { validateDriverName } from './names.ts';

/** (pkg/apis/resource/validation/validation.go) */

export const maxConfigs = 32;
const maxParametersLength = 10 * 1024;

/** @param stored true for unchanged parameters, whose length is not checked */
export function validateDeviceConfiguration({ opaque }: Unvalidated<resource.DeviceConfiguration>, field: Field, stored = false): void {
  const at = field.child('opaque');
  if (!opaque) {
    at.required();
    return;
  }
  validateDriverName(opaque.driver, at.child('driver'));
  validateRawExtension(opaque.parameters, at.child('parameters'), stored ? Number.POSITIVE_INFINITY : maxParametersLength);
}

/** An object of at most `maxLength` bytes. */
export function validateRawExtension(value: unknown, field: Field, maxLength: number): void {
  if (value === undefined || value === null) field.required();
  else if (isLonger(value, maxLength)) field.tooLong(value, maxLength);
  else if (!isJsonObject(value)) field.invalid('<value omitted>', 'must be a valid JSON object');
}

/** Reports whether a value takes more bytes as compact JSON. Stops as soon as it does. */
function isLonger(value: unknown, maxLength: number): boolean {
  let length = 0;
  const add = (part: unknown): void => {
    if (length > maxLength) return;
    if (Array.isArray(part)) {
      length += Math.max(2, part.length + 1);
      for (const item of part) add(item);
    } else if (isJsonObject(part)) {
      const keys = Object.keys(part);
      length += 1 + Math.max(1, keys.length * 2);
      for (const key of keys) {
        length += byteLength(JSON.stringify(key));
        add(part[key]);
      }
    } else length += typeof part === 'string' ? byteLength(JSON.stringify(part)) : String(part).length;
  };
  add(value);
  return length > maxLength;
}
