import type { Part } from '../../../machinery/object.ts';
import type { Field } from '../../../machinery/validation/field.ts';
import { dnsLabel, dnsSubdomain, labelKey as qualifiedName } from '../../../machinery/validation/name-formats.ts';
import { dnsSubdomainWithUnderscore } from '../../../structural/formats.ts';
import {
  rangeText,
  validateEnum,
  validateFormat,
  validateRequiredEnum,
  validateRequiredFormat,
} from '../../validation/fields.ts';
import { validateIP } from '../../validation/ip.ts';
import { validateLabels } from '../../validation/labels.ts';
import { type NameCheck, validateContainerResourceName, validateResourceRequirements } from '../resource-list.ts';
import {
  type PodContext,
  validateContainers,
  validateEphemeralContainers,
  validateInitContainers,
} from './containers.ts';
import { validateAffinity, validateTolerations, validateTopologySpreadConstraints } from './scheduling.ts';
import { validateHostUsers, validateOS, validatePodSecurityContext } from './security-context.ts';
import { validateVolumes } from './volumes.ts';

const dnsPolicies = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];
const largestInt32 = 2147483647;

/** The spec of a pod, in a pod or in a template. (pkg/apis/core/validation, ValidatePodSpec) */
export function validatePodSpec(spec: Part, field: Field): void {
  const { initContainers = [], ephemeralContainers = [], volumes = [] } = spec;
  const containers = spec.containers ?? []; // null where there are none
  const pod: PodContext = {
    volumes: new Map(volumes.map((volume: Part) => [volume.name, volume])),
    claimNames: new Set((spec.resourceClaims ?? []).map(({ name }: Part) => name).filter(Boolean)),
    graceSeconds: spec.terminationGracePeriodSeconds,
    restartPolicy: spec.restartPolicy ?? '',
    hostUsers: spec.hostUsers !== false,
  };
  validateVolumes(volumes, field.child('volumes'));
  validatePodResourceClaims(spec.resourceClaims ?? [], field.child('resourceClaims'));
  validateContainers(containers, pod, field.child('containers'));
  validateInitContainers(initContainers, containers, pod, field.child('initContainers'));
  const others = [...containers, ...initContainers];
  validateEphemeralContainers(ephemeralContainers, others, pod, field.child('ephemeralContainers'));
  validatePodResources(spec.resources, field.child('resources'));
  validateRequiredEnum(spec.restartPolicy, ['Always', 'OnFailure', 'Never'], field.child('restartPolicy'));
  validateRequiredEnum(spec.dnsPolicy, dnsPolicies, field.child('dnsPolicy'));
  validateLabels(spec.nodeSelector, field.child('nodeSelector'));
  validatePodSecurityContext(spec, field.child('securityContext'));
  if (spec.affinity) validateAffinity(spec.affinity, field.child('affinity'));
  validatePodDNSConfig(spec, field.child('dnsConfig'));
  validateGates(spec, field);
  validateTopologySpreadConstraints(spec.topologySpreadConstraints ?? [], field.child('topologySpreadConstraints'));
  validateHostUsers(spec, field);
  validateNames(spec, field);
  validateActiveDeadlineSeconds(spec.activeDeadlineSeconds, field.child('activeDeadlineSeconds'));
  validateTolerations(spec.tolerations ?? [], field.child('tolerations'));
  validateHostAliases(spec.hostAliases ?? [], field.child('hostAliases'));
  if (spec.preemptionPolicy !== undefined) {
    const policies = ['PreemptLowerPriority', 'Never'];
    validateRequiredEnum(spec.preemptionPolicy, policies, field.child('preemptionPolicy'));
  }
  const overhead = { limits: spec.overhead };
  validateResourceRequirements(overhead, validateContainerResourceName, pod.claimNames, field.child('overhead'));
  validateOS(spec, field);
}

function validateNames(spec: Part, field: Field): void {
  for (const name of ['serviceAccountName', 'nodeName', 'priorityClassName']) {
    if (spec[name]) validateFormat(spec[name], dnsSubdomain, field.child(name));
  }
  for (const name of ['hostname', 'subdomain']) {
    if (spec[name]) validateFormat(spec[name], dnsLabel, field.child(name));
  }
  if (spec.runtimeClassName !== undefined) {
    validateFormat(spec.runtimeClassName, dnsSubdomain, field.child('runtimeClassName'));
  }
}

function validateActiveDeadlineSeconds(seconds: number | undefined, field: Field): void {
  if (seconds !== undefined && (seconds < 1 || seconds > largestInt32)) {
    field.invalid(seconds, rangeText(1, largestInt32));
  }
}

function validatePodResourceClaims(claims: readonly Part[], field: Field): void {
  const seen = new Set<string>();
  for (const [index, claim] of claims.entries()) {
    const at = field.index(index);
    if (claim.name && seen.has(claim.name)) at.child('name').duplicate(claim.name);
    else validateRequiredFormat(claim.name, dnsLabel, at.child('name'));
    seen.add(claim.name);
    const given = ['resourceClaimName', 'resourceClaimTemplateName'].filter((name) => claim[name] !== undefined);
    if (given.length > 1) {
      const detail = 'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified';
      at.invalid(claim, detail);
    }
    if (given.length === 0) {
      const detail = 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`';
      at.invalid(claim, detail);
    }
    for (const name of given) validateFormat(claim[name], dnsSubdomain, at.child(name));
  }
}

const validatePodResourceName: NameCheck = (name, field) => {
  if (!name.startsWith('hugepages-')) validateEnum(name, ['cpu', 'memory'], field);
};

function validatePodResources(resources: Part, field: Field): void {
  if (!resources) return;
  if (resources.claims?.length) {
    field.child('claims').forbidden('claims cannot be set for Resources at pod-level');
  }
  validateResourceRequirements({ ...resources, claims: [] }, validatePodResourceName, new Set(), field);
}

function validatePodDNSConfig({ dnsConfig, dnsPolicy }: Part, field: Field): void {
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

function validateGates({ readinessGates = [], schedulingGates = [] }: Part, field: Field): void {
  for (const [index, { conditionType = '' }] of readinessGates.entries()) {
    validateFormat(conditionType, qualifiedName, field.child('readinessGates').index(index).child('conditionType'));
  }
  const seen = new Set<string>();
  for (const [index, { name = '' }] of schedulingGates.entries()) {
    const at = field.child('schedulingGates').index(index);
    validateFormat(name, qualifiedName, at);
    if (seen.has(name)) at.duplicate(name);
    seen.add(name);
  }
}

function validateHostAliases(aliases: readonly Part[], field: Field): void {
  for (const [index, { ip = '', hostnames = [] }] of aliases.entries()) {
    const at = field.index(index);
    validateIP(ip, at.child('ip'));
    for (const [place, hostname] of hostnames.entries()) {
      validateFormat(hostname, dnsSubdomain, at.child('hostnames').index(place));
    }
  }
}
