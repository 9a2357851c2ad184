import type * as resource from '../../../generated/v1.35/resource.k8s.io/v1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { byteLength, dnsLabel } from '../../machinery/validation/name-formats.ts';
import { validateFormat } from '../validation/fields.ts';
import { internalAttribute } from './internal-types.ts';
import { shortKey } from './lists.ts';
import { maxDomainLength, maxIDLength, validateQualifiedName } from './names.ts';

/** A device of a slice. (pkg/apis/resource/validation/validation.go) */

const maxAttributesAndCapacities = 32;
const maxKeyLength = maxDomainLength + 1 + maxIDLength;

/** Fields of disabled gates are dropped before. All capacities are valid quantities. */
export function validateDevice(device: Unvalidated<resource.Device>, field: Field): void {
  const { name = '' } = device;
  const attributes = device.attributes ?? {};
  const capacity = device.capacity ?? {};
  validateFormat(name, dnsLabel, field.child('name'));
  const count = Object.keys(attributes).length + Object.keys(capacity).length;
  if (count > maxAttributesAndCapacities) {
    const detail = `the total number of attributes and capacities must not exceed ${maxAttributesAndCapacities}`;
    field.invalid(count, detail);
  }
  const at = field.child('attributes');
  for (const [key, attribute] of Object.entries(attributes)) {
    const each = at.key(shortKey(key, maxKeyLength));
    validateQualifiedName(key, each);
    validateDeviceAttribute(attribute, each);
  }
  for (const key of Object.keys(capacity)) {
    validateQualifiedName(key, field.child('capacity').key(shortKey(key, maxKeyLength)));
  }
}

const maxValueLength = 64;
const oneValue = 'exactly one value must be specified';

function validateDeviceAttribute(attribute: Unvalidated<resource.DeviceAttribute>, field: Field): void {
  const { int, bool, string, version } = attribute;
  if (string !== undefined) validateLength(string, field.child('string'));
  if (version !== undefined) validateVersion(version, field.child('version'));
  const count = [int, bool, string, version].filter((value) => value !== undefined).length;
  if (count === 0) {
    if (field.follows('AttributeWithoutValueIsInvalid')) field.invalid('', oneValue);
    else field.required(oneValue);
  } else if (count > 1) field.invalid(internalAttribute(attribute), oneValue);
}

function validateLength(value: string, field: Field): void {
  if (byteLength(value) > maxValueLength) field.tooLong(value, maxValueLength);
}

const numeric = '(?:0|[1-9][0-9]*)';
/** Each part ends at a dot, so matching is linear. */
const preRelease = '(?:0|[1-9][0-9]*|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*)';
const build = '[0-9a-zA-Z-]+';
const semver = new RegExp(`^${numeric}\\.${numeric}\\.${numeric}(?:-${preRelease}(?:\\.${preRelease})*)?(?:\\+${build}(?:\\.${build})*)?$`);

/** (validateDeviceAttributeVersionValue) */
function validateVersion(value: string, field: Field): void {
  if (!semver.test(value)) {
    field.invalid(value, 'must be a string compatible with semver.org spec 2.0.0');
  }
  validateLength(value, field);
}
