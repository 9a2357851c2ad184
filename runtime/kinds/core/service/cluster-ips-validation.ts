import type * as core from '../../../../generated/v1.35/core/v1/types.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import type { Field } from '../../../machinery/validation/field.ts';
import { ipVersion } from '../../../machinery/validation/ip-formats.ts';
import { validateEnum } from '../../validation/fields.ts';
import { validateIP } from '../../validation/ip.ts';

/** Addresses of services and the families of addresses. (pkg/apis/core/validation/validation.go) */

type ServiceSpec = Unvalidated<core.ServiceSpec>;

const families = ['IPv4', 'IPv6'];
const policies = ['PreferDualStack', 'RequireDualStack', 'SingleStack'];

/** (isHeadlessService) */
export const isHeadlessService = ({ clusterIPs }: ServiceSpec): boolean => clusterIPs?.length === 1 && clusterIPs[0] === 'None';

/**
 * (ValidateServiceClusterIPsRelatedFields)
 *
 * @param old undefined on creation
 * @param field of the spec
 */
export function validateServiceClusterIPsRelatedFields(spec: ServiceSpec, old: ServiceSpec | undefined, field: Field): void {
  if (spec.type === 'ExternalName') return;
  const clusterIPs = spec.clusterIPs ?? [];
  const at = field.child('clusterIPs');
  validateClusterIP(spec.clusterIP ?? '', clusterIPs, at);
  const seen = new Set<string>();
  for (const [index, family] of (spec.ipFamilies ?? []).entries()) {
    const each = field.child('ipFamilies').index(index);
    validateEnum(family, families, each);
    if (seen.has(family)) each.duplicate(family);
    seen.add(family);
  }
  if (spec.ipFamilyPolicy !== undefined) validateEnum(spec.ipFamilyPolicy, policies, field.child('ipFamilyPolicy'));
  const errorsBefore = field.errors.length;
  for (const [index, address] of clusterIPs.entries()) {
    if (index === 0 && address === 'None') {
      if (clusterIPs.length > 1) at.invalid(clusterIPs, "'None' must be the first and only value");
    } else if (!old?.clusterIPs?.includes(address)) validateIP(address, at.index(index));
  }
  const areValid = field.errors.length === errorsBefore;
  if (clusterIPs.length > 2) at.invalid(clusterIPs, 'may only hold up to 2 values');
  if (areValid) validateFamilies(spec, clusterIPs, at);
}

/** `clusterIP` is the first of `clusterIPs`. */
function validateClusterIP(clusterIP: string, clusterIPs: readonly string[], field: Field): void {
  if (clusterIP === '') {
    if (clusterIPs.length > 0) field.invalid(clusterIPs, 'must be empty when `clusterIP` is not specified');
  } else if (clusterIPs.length === 0) field.required();
  else if (clusterIPs[0] !== clusterIP) field.invalid(clusterIPs, 'first value must match `clusterIP`');
}

/** A service has at most one address of each family, in the order of `ipFamilies`. */
function validateFamilies(spec: ServiceSpec, clusterIPs: readonly string[], field: Field): void {
  const versions = clusterIPs.map(ipVersion);
  if (clusterIPs.length > 1 && !(versions.includes(4) && versions.includes(6))) {
    field.invalid(clusterIPs, 'may specify no more than one IP for each IP family');
  }
  if (isHeadlessService(spec)) return;
  for (const [index, version] of versions.entries()) {
    const family = spec.ipFamilies?.[index];
    if (family === undefined || !families.includes(family) || family === `IPv${version}`) continue;
    const detail = `expected an ${family} value as indicated by \`ipFamilies[${index}]\``;
    field.index(index).invalid(clusterIPs[index], detail);
  }
}

const unchangeable = 'may not change once set';

/** The second address may be added or removed. (validateUpgradeDowngradeClusterIPs) */
export function validateUpgradeDowngradeClusterIPs(spec: ServiceSpec, old: ServiceSpec, field: Field): void {
  if (spec.type === 'ExternalName' || old.type === 'ExternalName') return;
  if (isHeadlessService(spec) && isHeadlessService(old)) return;
  const [addresses, before] = [spec.clusterIPs ?? [], old.clusterIPs ?? []];
  const at = field.child('clusterIPs');
  if (before.length === addresses.length) {
    for (const [index, address] of before.entries()) {
      if (address !== addresses[index]) at.index(index).invalid(addresses, unchangeable);
    }
    return;
  }
  if (addresses.length === 0) at.index(0).invalid(spec.clusterIPs ?? null, 'primary clusterIP can not be unset');
  else if (before.length > 0 && addresses[0] !== before[0]) at.index(0).invalid(addresses, unchangeable);
  if (before.length > addresses.length && addresses.length === 1) {
    validateRelease(spec, 'clusterIP', field.child('ipFamilyPolicy'));
  }
}

/** (validateUpgradeDowngradeIPFamilies) */
export function validateUpgradeDowngradeIPFamilies(spec: ServiceSpec, old: ServiceSpec, field: Field): void {
  if (spec.type === 'ExternalName' || old.type === 'ExternalName') return;
  if (isHeadlessService(spec) || isHeadlessService(old)) return;
  const [now, before] = [spec.ipFamilies ?? [], old.ipFamilies ?? []];
  const at = field.child('ipFamilies').index(0);
  if (before.length === now.length) {
    for (const [index, family] of before.entries()) if (family !== now[index]) at.invalid(now, unchangeable);
    return;
  }
  const isReduced = before.length > now.length;
  if (isReduced && !spec.clusterIPs?.length) at.invalid(spec.ipFamilies ?? null, 'primary ipFamily can not be unset');
  // upstream shows the addresses
  if (now.length > 0 && before.length > 0 && now[0] !== before[0]) at.invalid(spec.clusterIPs ?? null, unchangeable);
  if (isReduced && now.length === 1) validateRelease(spec, 'ipFamily', field.child('ipFamilyPolicy'));
}

function validateRelease({ ipFamilyPolicy }: ServiceSpec, what: 'clusterIP' | 'ipFamily', field: Field): void {
  if (ipFamilyPolicy === 'SingleStack') return;
  field.invalid(ipFamilyPolicy ?? null, `must be set to 'SingleStack' when releasing the secondary ${what}`);
}
