import type { Service, ServiceSpec } from '../../../../generated/v1.35/core/v1/types.ts';
import { elementAt } from '../../../machinery/collections/element-at.ts';
import { invalid } from '../../../machinery/errors/status.ts';
import { setOrDelete } from '../../../machinery/json/defined.ts';
import { equalJson } from '../../../machinery/json/equality.ts';
import { Field } from '../../../machinery/validation/field.ts';
import type { FieldError } from '../../../machinery/validation/field-error.ts';
import { FieldPath } from '../../../machinery/validation/field-path.ts';
import type { IPFamily } from './cluster-ip-range.ts';
import { validateServiceClusterIPsRelatedFields } from './cluster-ips-validation.ts';

export const headless = 'None';

/**
 * Sets the families and their policy if the client omits them, from the families of the cluster.
 * (pkg/registry/core/service/storage/alloc.go initIPFamilyFields)
 *
 * @param families of the cluster, the default first
 * @throws StatusError 422
 */
export function initIPFamilyFields(service: Service, old: Service | undefined, families: readonly IPFamily[]): void {
  const { spec = {} } = service;
  if (spec.type === 'ExternalName' || isMatchingPreferDualStackClusterIPFields(spec, old?.spec)) return;
  const isOpenHeadless = spec.clusterIP === headless && Object.keys(spec.selector ?? {}).length === 0;
  spec.ipFamilyPolicy ??= old?.spec?.ipFamilyPolicy ?? (isOpenHeadless ? 'RequireDualStack' : 'SingleStack');
  validate(service, (field) => validateServiceClusterIPsRelatedFields(spec, old?.spec, field));
  validate(service, (field) => {
    if (old?.spec !== undefined) validateReleases(spec, old.spec, field);
    if (spec.ipFamilyPolicy === 'SingleStack') validateSingleStack(spec, field.child('ipFamilyPolicy'));
    inferFamilies(spec, families, field);
  });
  if (!isOpenHeadless) validate(service, (field) => validateConfigured(spec, families, field));
  const [first = elementAt(families, 0), second] = spec.ipFamilies ?? [];
  if (!spec.ipFamilies?.length) spec.ipFamilies = [first];
  if (second !== undefined || spec.ipFamilyPolicy === 'SingleStack') return;
  // a service without a selector may have endpoints of any family
  if (isOpenHeadless || families.length === 2) spec.ipFamilies = [first, first === 'IPv4' ? 'IPv6' : 'IPv4'];
}

/**
 * Reports whether both services have the same type, addresses and families, and prefer dual stack. Such a service keeps
 * its families when the cluster's families change.
 */
export function isMatchingPreferDualStackClusterIPFields(spec: ServiceSpec, old: ServiceSpec | undefined): boolean {
  if (old === undefined || spec.type !== old.type || spec.type === 'ExternalName') return false;
  if (spec.ipFamilyPolicy !== 'PreferDualStack') return false;
  if (old.ipFamilyPolicy !== undefined && old.ipFamilyPolicy !== 'PreferDualStack') return false;
  return sameList(spec.clusterIPs, old.clusterIPs) && sameList(spec.ipFamilies, old.ipFamilies);
}

const sameList = (a: readonly string[] | undefined, b: readonly string[] | undefined): boolean => equalJson(a ?? [], b ?? []);

/**
 * Releases the second address and family on a change to SingleStack if the client leaves the lists unchanged. Reports
 * an error if another policy shortens a list.
 */
function validateReleases(spec: ServiceSpec, old: ServiceSpec, field: Field): void {
  if (spec.ipFamilyPolicy === 'SingleStack') {
    if (sameList(spec.clusterIPs, old.clusterIPs)) setOrDelete(spec, 'clusterIPs', spec.clusterIPs?.slice(0, 1));
    if (sameList(spec.ipFamilies, old.ipFamilies)) setOrDelete(spec, 'ipFamilies', spec.ipFamilies?.slice(0, 1));
    return;
  }
  const policy = field.child('ipFamilyPolicy');
  const isReduced = (list: readonly string[] = [], before: readonly string[] = []): boolean =>
    list.length > 0 && list.length < before.length;
  if (isReduced(spec.clusterIPs, old.clusterIPs)) {
    policy.invalid(spec.ipFamilyPolicy, "must be 'SingleStack' to release the secondary cluster IP");
  }
  if (isReduced(spec.ipFamilies, old.ipFamilies)) {
    policy.invalid(spec.ipFamilyPolicy, "must be 'SingleStack' to release the secondary IP family");
  }
}

function validateSingleStack(spec: ServiceSpec, field: Field): void {
  const detail = (values: string): string => `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${values} are specified`;
  if (spec.clusterIPs?.length === 2) field.invalid(spec.ipFamilyPolicy, detail('cluster IPs'));
  if (spec.ipFamilies?.length === 2) field.invalid(spec.ipFamilyPolicy, detail('IP families'));
}

/** Adds the families of the requested addresses. */
function inferFamilies(spec: ServiceSpec, configured: readonly IPFamily[], field: Field): void {
  const { clusterIPs = [] } = spec;
  for (const [index, address] of clusterIPs.entries()) {
    if (address === headless) return;
    if (index < (spec.ipFamilies?.length ?? 0)) continue;
    const family = address.includes(':') ? 'IPv6' : 'IPv4';
    if (configured.includes(family)) spec.ipFamilies = [...(spec.ipFamilies ?? []), family];
    else field.child('clusterIPs').index(index).invalid(clusterIPs, `${family} is not configured on this cluster`);
  }
}

function validateConfigured(spec: ServiceSpec, configured: readonly string[], field: Field): void {
  if (spec.ipFamilyPolicy === 'RequireDualStack' && configured.length < 2) {
    const detail = 'this cluster is not configured for dual-stack services';
    field.child('ipFamilyPolicy').invalid(spec.ipFamilyPolicy, detail);
  }
  for (const [index, family] of (spec.ipFamilies ?? []).entries()) {
    if (configured.includes(family)) continue;
    field.child('ipFamilies').index(index).invalid(family, 'not configured on this cluster');
  }
}

/** Runs rules for the spec. @throws StatusError 422 with the errors */
export function validate(service: Service, rules: (field: Field) => void): void {
  const errors: FieldError[] = [];
  rules(Field.at(FieldPath.of('spec'), errors));
  if (errors.length > 0) throw invalid({ group: '', kind: 'Service' }, service.metadata.name ?? '', errors);
}
