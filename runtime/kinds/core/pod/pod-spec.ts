import type * as core from '../../../../generated/v1.35/core/v1/types.ts';
import type { ObjectMeta } from '../../../machinery/object.ts';
import { maxInt32 } from '../../../machinery/scalars/integers.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import type { Field } from '../../../machinery/validation/field.ts';
import { dnsLabel, dnsSubdomain } from '../../../machinery/validation/name-formats.ts';
import { dnsSubdomainWithUnderscore } from '../../../structural/formats.ts';
import { rangeText, validateFormat, validateRequiredEnum, validateRequiredFormat } from '../../validation/fields.ts';
import { validateIP } from '../../validation/ip.ts';
import { validateLabels } from '../../validation/labels.ts';
import { validateAffinity } from './affinity.ts';
import { validatePodHostNetworkDeps } from './container-ports.ts';
import {
  type PodContext,
  validateContainers,
  validateEphemeralContainers,
  validateInitContainers,
} from './containers.ts';
import { validateFileKeyRefVolumes } from './environment.ts';
import { validateOS } from './operating-system.ts';
import { validatePodResources } from './pod-resources.ts';
import { validateOverhead } from './resource-requirements.ts';
import { validateReadinessGates, validateSchedulingGates, validateTolerations } from './scheduling.ts';
import { validateHostUsers, validatePodSpecSecurityContext } from './security-context.ts';
import { validateTopologySpreadConstraints } from './topology-spread.ts';
import type { PodValidationOptions } from './validation-options.ts';
import { validateVolumes } from './volumes.ts';
import { validateWindowsHostProcessPod } from './windows-options.ts';

const dnsPolicies = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];

/**
 * (pkg/apis/core/validation, ValidatePodSpec)
 *
 * @param metadata that of the pod; absent for a template
 */
export function validatePodSpec(
  spec: Unvalidated<core.PodSpec>,
  metadata: ObjectMeta | undefined,
  field: Field,
  options: PodValidationOptions,
): void {
  const { initContainers = [], ephemeralContainers = [], volumes = [] } = spec;
  const containers = spec.containers ?? []; // may be null
  const pod: PodContext = {
    volumes: new Map(volumes.map((volume) => [volume.name ?? '', volume])),
    claimNames: new Set((spec.resourceClaims ?? []).flatMap(({ name }) => (name ? [name] : []))),
    gracePeriod: spec.terminationGracePeriodSeconds,
    restartPolicy: spec.restartPolicy ?? '',
    hostUsers: spec.hostUsers !== false,
    metadata,
    options,
  };
  validateVolumes(volumes, field.child('volumes'));
  validatePodResourceClaims(spec.resourceClaims ?? [], field.child('resourceClaims'));
  validateContainers(containers, pod, field.child('containers'));
  validateInitContainers(initContainers, containers, pod, field.child('initContainers'));
  const others = [...containers, ...initContainers];
  validateEphemeralContainers(ephemeralContainers, others, pod, field.child('ephemeralContainers'));
  validatePodResources(spec, pod, field);
  validatePodHostNetworkDeps(spec, options.resourceIsPod, field);
  validateRequiredEnum(spec.restartPolicy, ['Always', 'OnFailure', 'Never'], field.child('restartPolicy'));
  validateRequiredEnum(spec.dnsPolicy, dnsPolicies, field.child('dnsPolicy'));
  validateLabels(spec.nodeSelector, field.child('nodeSelector'));
  validatePodSpecSecurityContext(spec, field.child('securityContext'), options);
  if (spec.affinity) validateAffinity(spec.affinity, field.child('affinity'), options);
  validatePodDNSConfig(spec, field.child('dnsConfig'));
  validateReadinessGates(spec.readinessGates ?? [], field.child('readinessGates'));
  validateSchedulingGates(spec.schedulingGates ?? [], field.child('schedulingGates'));
  const constraints = spec.topologySpreadConstraints ?? [];
  validateTopologySpreadConstraints(constraints, field.child('topologySpreadConstraints'), options);
  validateWindowsHostProcessPod(spec, field);
  validateHostUsers(spec, field, options);
  validateNames(spec, field);
  validateActiveDeadlineSeconds(spec.activeDeadlineSeconds, field.child('activeDeadlineSeconds'));
  validateTolerations(spec.tolerations ?? [], field.child('tolerations'));
  validateHostAliases(spec.hostAliases ?? [], field.child('hostAliases'));
  if (spec.preemptionPolicy !== undefined) {
    const policies = ['PreemptLowerPriority', 'Never'];
    validateRequiredEnum(spec.preemptionPolicy, policies, field.child('preemptionPolicy'));
  }
  if (spec.overhead) validateOverhead(spec.overhead, field.child('overhead'), options);
  validateOS(spec, field);
  validateFileKeyRefVolumes(spec, pod.volumes, field);
}

function validateNames(spec: Unvalidated<core.PodSpec>, field: Field): void {
  const { serviceAccountName, nodeName, priorityClassName, hostname, subdomain, runtimeClassName } = spec;
  if (serviceAccountName) validateFormat(serviceAccountName, dnsSubdomain, field.child('serviceAccountName'));
  if (nodeName) validateFormat(nodeName, dnsSubdomain, field.child('nodeName'));
  if (priorityClassName) validateFormat(priorityClassName, dnsSubdomain, field.child('priorityClassName'));
  if (hostname) validateFormat(hostname, dnsLabel, field.child('hostname'));
  if (subdomain) validateFormat(subdomain, dnsLabel, field.child('subdomain'));
  if (runtimeClassName !== undefined) validateFormat(runtimeClassName, dnsSubdomain, field.child('runtimeClassName'));
}

function validateActiveDeadlineSeconds(seconds: number | undefined, field: Field): void {
  if (seconds !== undefined && (seconds < 1 || seconds > maxInt32)) {
    field.invalid(seconds, rangeText(1, maxInt32));
  }
}

function validatePodResourceClaims(claims: readonly Unvalidated<core.PodResourceClaim>[], field: Field): void {
  const seen = new Set<string>();
  for (const [index, claim] of claims.entries()) {
    const at = field.index(index);
    const { name = '', resourceClaimName, resourceClaimTemplateName } = claim;
    if (name && seen.has(name)) at.child('name').duplicate(name);
    else validateRequiredFormat(name, dnsLabel, at.child('name'));
    seen.add(name);
    if (resourceClaimName !== undefined && resourceClaimTemplateName !== undefined) {
      at.invalid(claim, 'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified');
    }
    if (resourceClaimName === undefined && resourceClaimTemplateName === undefined) {
      at.invalid(claim, 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`');
    }
    if (resourceClaimName !== undefined) {
      validateFormat(resourceClaimName, dnsSubdomain, at.child('resourceClaimName'));
    }
    if (resourceClaimTemplateName !== undefined) {
      validateFormat(resourceClaimTemplateName, dnsSubdomain, at.child('resourceClaimTemplateName'));
    }
  }
}

function validatePodDNSConfig({ dnsConfig, dnsPolicy }: Unvalidated<core.PodSpec>, field: Field): void {
  if (dnsPolicy === 'None') {
    if (!dnsConfig) {
      field.required('must provide `dnsConfig` when `dnsPolicy` is None');
      return;
    }
    if (!dnsConfig.nameservers?.length) {
      const detail = 'must provide at least one DNS nameserver when `dnsPolicy` is None';
      field.child('nameservers').required(detail);
      return;
    }
  }
  const { nameservers = [], searches = [], options = [] } = dnsConfig ?? {};
  if (nameservers.length > 3) {
    field.child('nameservers').invalid(nameservers, 'must not have more than 3 nameservers');
  }
  for (const [index, server] of nameservers.entries()) validateIP(server, field.child('nameservers').index(index));
  if (searches.length > 32) {
    field.child('searches').invalid(searches, 'must not have more than 32 search paths');
  }
  if (searches.join(' ').length > 2048) {
    const detail = 'must not have more than 2048 characters (including spaces) in the search list';
    field.child('searches').invalid(searches, detail);
  }
  for (const [index, search] of searches.entries()) {
    if (search === '.') continue;
    validateFormat(search.replace(/\.$/, ''), dnsSubdomainWithUnderscore, field.child('searches').index(index));
  }
  for (const [index, option] of options.entries()) {
    if (!option.name) field.child('options').index(index).required('must not be empty');
  }
}

function validateHostAliases(aliases: readonly Unvalidated<core.HostAlias>[], field: Field): void {
  for (const [index, { ip = '', hostnames = [] }] of aliases.entries()) {
    const at = field.index(index);
    validateIP(ip, at.child('ip'));
    for (const [hostIndex, hostname] of hostnames.entries()) {
      validateFormat(hostname, dnsSubdomain, at.child('hostnames').index(hostIndex));
    }
  }
}
