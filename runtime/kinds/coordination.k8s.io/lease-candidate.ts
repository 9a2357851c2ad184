import type { LeaseCandidate } from '../../../generated/v1.35/coordination.k8s.io/v1beta1/types.ts';
import { compareVersions, parseVersion, type Version } from '../../machinery/semver.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { validateImmutableField } from '../validation/fields.ts';
import { oldestEmulationVersion, validateCoordinatedLeaseStrategy } from './coordinated-lease-strategy.ts';

/** (pkg/apis/coordination/validation) */

/** The value of an absent or invalid version. */
const zero: Version = { numbers: [0n, 0n, 0n], pre: [] };

/** (ValidateLeaseCandidateSpec) */
export function validateLeaseCandidate({ spec = {} }: Unvalidated<LeaseCandidate>, field: Field): void {
  const { leaseName = '', emulationVersion = '', binaryVersion = '', strategy = '' } = spec;
  const at = field.child('spec');
  if (leaseName === '') at.child('leaseName').required();
  const emulated = emulationVersion === '' ? zero : validateVersion(emulationVersion, at.child('emulationVersion'));
  if (binaryVersion === '') at.child('binaryVersion').required();
  else {
    const binary = validateVersion(binaryVersion, at.child('binaryVersion'));
    if (emulationVersion !== '' && compareVersions(binary, emulated) < 0) {
      at.child('binaryVersion').invalid(binaryVersion, 'must be greater than or equal to `emulationVersion`');
    }
  }
  if (strategy === '') {
    at.child('strategy').required();
    return;
  }
  if (strategy === oldestEmulationVersion && compareVersions(emulated, zero) === 0) {
    at.child('emulationVersion').required("must be specified when `strategy` is 'OldestEmulationVersion'");
  }
  validateCoordinatedLeaseStrategy(strategy, at.child('strategy'));
}

function validateVersion(text: string, field: Field): Version {
  const version = parseVersion(text);
  if (typeof version !== 'string') return version;
  field.invalid(text, 'must be a valid semantic version');
  return zero;
}

/** (ValidateLeaseCandidateSpecUpdate) */
export function validateLeaseCandidateUpdate({ spec }: Unvalidated<LeaseCandidate>, old: Unvalidated<LeaseCandidate>, field: Field): void {
  validateImmutableField(spec?.leaseName ?? '', old.spec?.leaseName ?? '', field.child('spec', 'leaseName'));
}
