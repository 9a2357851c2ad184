import type * as core from '../../../../generated/v1.35/core/v1/types.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import type { Field } from '../../../machinery/validation/field.ts';
import { ipVersion } from '../../../machinery/validation/ip-formats.ts';
import { dnsSubdomain, labelKey as qualifiedName } from '../../../machinery/validation/name-formats.ts';
import { validateFormat, validateImmutableEnum } from '../../validation/fields.ts';
import { validateIP } from '../../validation/ip.ts';
import { validatePodSpecificAnnotationUpdates } from './annotations.ts';
import { validateContainerStateTransitions, validateContainerStatusUsers } from './container-statuses.ts';
import { internalIPs } from './internal-types.ts';
import type { PodValidationOptions } from './validation-options.ts';

/** Updates of a pod's status. (pkg/apis/core/validation) */

type Pod = Unvalidated<core.Pod>;
type PodStatus = Unvalidated<core.PodStatus>;

/** The caller passes the pod with its old spec. (ValidatePodStatusUpdate) */
export function validatePodStatusUpdate(pod: Pod, old: Pod, root: Field, options: PodValidationOptions): void {
  validatePodSpecificAnnotationUpdates(pod, old, root.child('metadata', 'annotations'), options);
  const { spec = {}, status = {} } = pod;
  const { status: oldStatus = {} } = old;
  const field = root.child('status');
  validatePodConditions(status.conditions ?? [], field.child('conditions'));
  validateNominatedNodeName(pod, old, field.child('nominatedNodeName'));
  validateGeneration(status.observedGeneration, field);
  validateImmutableEnum(status.qosClass ?? '', oldStatus.qosClass ?? '', field.child('qosClass'));
  validateContainerStateTransitions(status, oldStatus, spec, field);
  const claims = spec.resourceClaims ?? [];
  validatePodResourceClaimStatuses(status.resourceClaimStatuses ?? [], claims, field.child('resourceClaimStatuses'));
  validateIPs(status.podIPs, oldStatus.podIPs, field.child('podIPs'));
  validateHostIPs(status, oldStatus, field.child('hostIPs'));
  validateContainerStatusUsers(status, spec, field);
}

function validateGeneration(generation: number | undefined, field: Field): void {
  if (generation === undefined || generation >= 0) return;
  field.child('observedGeneration').invalid(generation, 'must be a non-negative integer');
}

const systemConditions: ReadonlySet<string> = new Set(['PodScheduled', 'Ready', 'Initialized']);

/** (validatePodConditions) */
function validatePodConditions(conditions: readonly Unvalidated<core.PodCondition>[], field: Field): void {
  for (const [index, { type = '', observedGeneration }] of conditions.entries()) {
    const at = field.index(index);
    validateGeneration(observedGeneration, at);
    if (!systemConditions.has(type)) validateFormat(type, qualifiedName, at.child('Type'));
  }
}

function validateNominatedNodeName({ status }: Pod, { spec, status: old }: Pod, field: Field): void {
  const name = status?.nominatedNodeName ?? '';
  if (name === '' || name === (old?.nominatedNodeName ?? '')) return;
  validateFormat(name, dnsSubdomain, field);
  if (spec?.nodeName) field.forbidden('may not be set on pods that are already bound to a node');
}

/** (validatePodResourceClaimStatuses) */
function validatePodResourceClaimStatuses(
  statuses: readonly Unvalidated<core.PodResourceClaimStatus>[],
  claims: readonly Unvalidated<core.PodResourceClaim>[],
  field: Field,
): void {
  if (statuses.length === 0) return;
  const names = new Set(claims.map(({ name = '' }) => name));
  const seen = new Set<string>();
  for (const [index, { name = '', resourceClaimName }] of statuses.entries()) {
    const at = field.index(index).child('name');
    if (!names.has(name)) at.invalid(name, 'must match the name of an entry in `spec.resourceClaims`');
    if (seen.has(name)) at.duplicate(name);
    seen.add(name);
    if (resourceClaimName !== undefined) validateFormat(resourceClaimName, dnsSubdomain, at);
  }
}

type IPs = readonly Unvalidated<core.PodIP | core.HostIP>[];

/** (validateHostIPs) */
function validateHostIPs({ hostIP = '', hostIPs }: PodStatus, old: PodStatus, field: Field): void {
  if (!hostIPs?.length) return;
  const first = hostIPs[0]?.ip ?? '';
  if (hostIP !== first) field.index(0).child('ip').invalid(first, 'must be equal to `hostIP`');
  validateIPs(hostIPs, old.hostIPs, field);
}

/** At most one address of each family. Stored invalid addresses may stay. (validatePodIPs) */
function validateIPs(ips: IPs | undefined, old: IPs | undefined, field: Field): void {
  if (!ips?.length) return;
  const stored = new Set(old?.map(({ ip }) => ip));
  for (const [index, { ip = '' }] of ips.entries()) if (!stored.has(ip)) validateIP(ip, field.index(index));
  if (ips.length === 1) return;
  const versions = ips.map(({ ip = '' }) => ipVersion(ip));
  const invalid = versions.indexOf(0);
  if (invalid >= 0) {
    const error = `invalid IP[${invalid}]: ${ips[invalid]?.ip ?? ''}`;
    field.internalError(`failed to check for dual stack with error:${error}`);
  }
  const isDualStack = invalid < 0 && versions.includes(4) && versions.includes(6);
  if (isDualStack && ips.length === 2) return;
  field.invalid(internalIPs(ips), 'may specify no more than one IP for each IP family');
}
