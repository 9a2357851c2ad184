import type * as internal from '../../../generated/v1.35/internal.apiserver.k8s.io/v1alpha1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import { Field } from '../../machinery/validation/field.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import { dns1035Label, dnsSubdomain, labelKey, regexError } from '../../machinery/validation/name-formats.ts';
import type { RESTStrategy } from '../../resources/rest.ts';
import { formatFirst } from '../printers.ts';
import { validateFormat } from '../validation/fields.ts';

/** (pkg/apis/apiserverinternal/validation) */

type StorageVersion = Unvalidated<internal.StorageVersion>;
type StorageVersionStatus = Unvalidated<internal.StorageVersionStatus>;
type ServerStorageVersion = Unvalidated<internal.ServerStorageVersion>;
type StorageVersionCondition = Unvalidated<internal.StorageVersionCondition>;

/** Only the status has rules. (pkg/registry/apiserverinternal/storageversion) */
export const storageVersionStrategy: RESTStrategy = {
  validateUpdate({ status = {} }: StorageVersion, _old: StorageVersion, errors, { part }) {
    if (part === 'status') validateStorageVersionStatus(status, Field.at(FieldPath.of('status'), errors));
  },
};

/** Upstream leaves `conditions` out of the paths of conditions. */
function validateStorageVersionStatus(status: StorageVersionStatus, field: Field): void {
  const ids = new Set<string>();
  for (const [index, version] of (status.storageVersions ?? []).entries()) {
    const { apiServerID = '' } = version;
    const at = field.child('storageVersions').index(index);
    if (ids.has(apiServerID)) at.child('apiServerID').duplicate(apiServerID);
    ids.add(apiServerID);
    validateServerStorageVersion(version, at);
  }
  validateCommonVersion(status, field.child('commonEncodingVersion'));
  validateStorageVersionCondition(status.conditions ?? [], field);
}

function validateServerStorageVersion(version: ServerStorageVersion, field: Field): void {
  const { apiServerID = '', encodingVersion = '', decodableVersions, servedVersions } = version;
  validateFormat(apiServerID, dnsSubdomain, field.child('apiServerID'));
  validateAPIVersion(encodingVersion, field.child('encodingVersion'));
  const decodable = decodableVersions ?? [];
  for (const [index, one] of decodable.entries()) {
    validateAPIVersion(one, field.child('decodableVersions').index(index));
  }
  if (!decodable.includes(encodingVersion)) {
    const detail = `decodableVersions must include encodingVersion ${encodingVersion}`;
    field.child('decodableVersions').invalid(decodableVersions ?? null, detail);
  }
  const known = new Set(decodable);
  for (const [index, one] of (servedVersions ?? []).entries()) {
    const at = field.child('servedVersions').index(index);
    validateAPIVersion(one, at);
    if (known.has(one)) continue;
    const all = `[${decodable.join(' ')}]`;
    at.invalid(one, `individual served version : ${one} must be included in decodableVersions : ${all}`);
  }
}

/** Returns the version with which all servers encode; undefined if they differ. (commonVersion) */
function commonVersion(versions: readonly ServerStorageVersion[]): string | undefined {
  const common = versions[0]?.encodingVersion ?? '';
  const agree = versions.length > 0 && versions.every(({ encodingVersion = '' }) => encodingVersion === common);
  return agree ? common : undefined;
}

function validateCommonVersion({ storageVersions, commonEncodingVersion }: StorageVersionStatus, field: Field): void {
  const actual = commonVersion(storageVersions ?? []);
  if (actual === commonEncodingVersion) return;
  if (actual === undefined) {
    const detail =
      'should be nil if servers do not agree on the same encoding version, or if there is no server reporting the supported versions yet';
    field.invalid(commonEncodingVersion, detail);
  } else if (commonEncodingVersion === undefined) field.invalid(null, `the common encoding version is ${actual}`);
  else field.invalid(commonEncodingVersion, `the actual common encoding version is ${actual}`);
}

function validateStorageVersionCondition(conditions: readonly StorageVersionCondition[], field: Field): void {
  const seen = new Map<string, number>();
  for (const [index, { type = '', status = '', reason = '', message = '' }] of conditions.entries()) {
    const at = field.index(index);
    const first = seen.get(type);
    if (first !== undefined) {
      const detail = `the type of the condition is not unique, it also appears in conditions[${first}]`;
      at.child('type').invalid(type, detail);
    }
    seen.set(type, index);
    validateFormat(type, labelKey, at.child('type'));
    validateFormat(status, labelKey, at.child('status'));
    if (reason === '') at.child('reason').required();
    if (message === '') at.child('message').required();
  }
}

const notAPIVersion = `an apiVersion is ${regexError(
  "a DNS-1035 label, which must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  '[a-z]([-a-z0-9]*[a-z0-9])?',
  'my-name',
  'abc-123',
)} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyVersion')`;

/** Reports all problems in one error. (isValidAPIVersion) */
function validateAPIVersion(apiVersion: string, field: Field): void {
  const problems = apiVersionProblems(apiVersion);
  if (problems.length > 0) field.invalid(apiVersion, problems.join(','));
}

function apiVersionProblems(apiVersion: string): string[] {
  const [first = '', second, ...others] = apiVersion.split('/');
  if (others.length > 0) return [notAPIVersion];
  const problems = second === undefined ? [] : partProblems(first, 'group part: ', dnsSubdomain);
  return problems.concat(partProblems(second ?? first, 'version part: ', dns1035Label));
}

function partProblems(part: string, prefix: string, format: (text: string) => string[]): string[] {
  return (part === '' ? ['must be non-empty'] : format(part)).map((problem) => `${prefix}${problem}`);
}

/** For example `apiserver-1=apps/v1,apiserver-2=apps/v1`. (formatStorageVersions) */
export const storageVersionList = ({ status }: StorageVersion): string =>
  formatFirst((status?.storageVersions ?? []).map(({ apiServerID = '', encodingVersion = '' }) => `${apiServerID}=${encodingVersion}`)) ||
  '<unset>';
