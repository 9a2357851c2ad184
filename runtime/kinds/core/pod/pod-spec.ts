import type { Part } from '../../../machinery/object.ts';
import { duplicate, forbidden, invalid, required } from '../../../machinery/validation/field-error.ts';
import type { FieldPath } from '../../../machinery/validation/field-path.ts';
import { dnsLabel, dnsSubdomain, labelKey as qualifiedName } from '../../../machinery/validation/name-formats.ts';
import { dnsSubdomainWithUnderscore } from '../../../structural/formats.ts';
import {
  type Errors,
  validateEnum,
  validateFormat,
  validateRequiredEnum,
  validateRequiredFormat,
} from '../../validation/fields.ts';
import { rangeText } from '../../validation/formats.ts';
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
export function validatePodSpec(spec: Part, path: FieldPath, errors: Errors): void {
  const { initContainers = [], ephemeralContainers = [], volumes = [] } = spec;
  const containers = spec.containers ?? []; // null where there are none
  const pod: PodContext = {
    volumes: new Map(volumes.map((volume: Part) => [volume.name, volume])),
    claimNames: new Set((spec.resourceClaims ?? []).map(({ name }: Part) => name).filter(Boolean)),
    graceSeconds: spec.terminationGracePeriodSeconds,
    restartPolicy: spec.restartPolicy ?? '',
    hostUsers: spec.hostUsers !== false,
  };
  validateVolumes(volumes, path.child('volumes'), errors);
  validatePodResourceClaims(spec.resourceClaims ?? [], path.child('resourceClaims'), errors);
  validateContainers(containers, pod, path.child('containers'), errors);
  validateInitContainers(initContainers, containers, pod, path.child('initContainers'), errors);
  const others = [...containers, ...initContainers];
  validateEphemeralContainers(ephemeralContainers, others, pod, path.child('ephemeralContainers'), errors);
  validatePodResources(spec.resources, path.child('resources'), errors);
  validateRequiredEnum(spec.restartPolicy, ['Always', 'OnFailure', 'Never'], path.child('restartPolicy'), errors);
  validateRequiredEnum(spec.dnsPolicy, dnsPolicies, path.child('dnsPolicy'), errors);
  validateLabels(spec.nodeSelector, path.child('nodeSelector'), errors);
  validatePodSecurityContext(spec.securityContext, spec, path.child('securityContext'), errors);
  if (spec.affinity) validateAffinity(spec.affinity, path.child('affinity'), errors);
  validatePodDNSConfig(spec, path.child('dnsConfig'), errors);
  validateGates(spec, path, errors);
  validateTopologySpreadConstraints(
    spec.topologySpreadConstraints ?? [],
    path.child('topologySpreadConstraints'),
    errors,
  );
  validateHostUsers(spec, path, errors);
  validateNames(spec, path, errors);
  validateActiveDeadlineSeconds(spec.activeDeadlineSeconds, path.child('activeDeadlineSeconds'), errors);
  validateTolerations(spec.tolerations ?? [], path.child('tolerations'), errors);
  validateHostAliases(spec.hostAliases ?? [], path.child('hostAliases'), errors);
  if (spec.preemptionPolicy !== undefined) {
    const policies = ['PreemptLowerPriority', 'Never'];
    validateRequiredEnum(spec.preemptionPolicy, policies, path.child('preemptionPolicy'), errors);
  }
  const overhead = { limits: spec.overhead };
  validateResourceRequirements(overhead, validateContainerResourceName, pod.claimNames, path.child('overhead'), errors);
  validateOS(spec, path, errors);
}

function validateNames(spec: Part, path: FieldPath, errors: Errors): void {
  for (const name of ['serviceAccountName', 'nodeName', 'priorityClassName']) {
    if (spec[name]) validateFormat(spec[name], dnsSubdomain, path.child(name), errors);
  }
  for (const name of ['hostname', 'subdomain']) {
    if (spec[name]) validateFormat(spec[name], dnsLabel, path.child(name), errors);
  }
  if (spec.runtimeClassName !== undefined) {
    validateFormat(spec.runtimeClassName, dnsSubdomain, path.child('runtimeClassName'), errors);
  }
}

function validateActiveDeadlineSeconds(seconds: number | undefined, path: FieldPath, errors: Errors): void {
  if (seconds !== undefined && (seconds < 1 || seconds > largestInt32)) {
    errors.push(invalid(path, seconds, rangeText(1, largestInt32)));
  }
}

function validatePodResourceClaims(claims: readonly Part[], path: FieldPath, errors: Errors): void {
  const seen = new Set<string>();
  for (const [index, claim] of claims.entries()) {
    const at = path.index(index);
    if (claim.name && seen.has(claim.name)) errors.push(duplicate(at.child('name'), claim.name));
    else validateRequiredFormat(claim.name, dnsLabel, at.child('name'), errors);
    seen.add(claim.name);
    const given = ['resourceClaimName', 'resourceClaimTemplateName'].filter((name) => claim[name] !== undefined);
    if (given.length > 1) {
      const detail = 'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified';
      errors.push(invalid(at, claim, detail));
    }
    if (given.length === 0) {
      const detail = 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`';
      errors.push(invalid(at, claim, detail));
    }
    for (const name of given) validateFormat(claim[name], dnsSubdomain, at.child(name), errors);
  }
}

const validatePodResourceName: NameCheck = (name, path, errors) => {
  if (!name.startsWith('hugepages-')) validateEnum(name, ['cpu', 'memory'], path, errors);
};

function validatePodResources(resources: Part, path: FieldPath, errors: Errors): void {
  if (!resources) return;
  if (resources.claims?.length) {
    errors.push(forbidden(path.child('claims'), 'claims cannot be set for Resources at pod-level'));
  }
  validateResourceRequirements({ ...resources, claims: [] }, validatePodResourceName, new Set(), path, errors);
}

function validatePodDNSConfig({ dnsConfig, dnsPolicy }: Part, path: FieldPath, errors: Errors): void {
  if (dnsPolicy === 'None') {
    if (!dnsConfig) {
      errors.push(required(path, 'must provide `dnsConfig` when `dnsPolicy` is None'));
      return;
    }
    if (!dnsConfig.nameservers?.length) {
      const detail = 'must provide at least one DNS nameserver when `dnsPolicy` is None';
      errors.push(required(path.child('nameservers'), detail));
      return;
    }
  }
  const { nameservers = [], searches = [], options = [] } = dnsConfig ?? {};
  if (nameservers.length > 3) {
    errors.push(invalid(path.child('nameservers'), nameservers, 'must not have more than 3 nameservers'));
  }
  for (const [index, server] of nameservers.entries())
    validateIP(server, path.child('nameservers').index(index), errors);
  if (searches.length > 32) {
    errors.push(invalid(path.child('searches'), searches, 'must not have more than 32 search paths'));
  }
  if (searches.join(' ').length > 2048) {
    const detail = 'must not have more than 2048 characters (including spaces) in the search list';
    errors.push(invalid(path.child('searches'), searches, detail));
  }
  for (const [index, search] of searches.entries()) {
    if (search === '.') continue;
    validateFormat(search.replace(/\.$/, ''), dnsSubdomainWithUnderscore, path.child('searches').index(index), errors);
  }
  for (const [index, option] of options.entries()) {
    if (!option.name) errors.push(required(path.child('options').index(index), 'must not be empty'));
  }
}

function validateGates({ readinessGates = [], schedulingGates = [] }: Part, path: FieldPath, errors: Errors): void {
  for (const [index, { conditionType = '' }] of readinessGates.entries()) {
    validateFormat(
      conditionType,
      qualifiedName,
      path.child('readinessGates').index(index).child('conditionType'),
      errors,
    );
  }
  const seen = new Set<string>();
  for (const [index, { name = '' }] of schedulingGates.entries()) {
    const at = path.child('schedulingGates').index(index);
    validateFormat(name, qualifiedName, at, errors);
    if (seen.has(name)) errors.push(duplicate(at, name));
    seen.add(name);
  }
}

function validateHostAliases(aliases: readonly Part[], path: FieldPath, errors: Errors): void {
  for (const [index, { ip = '', hostnames = [] }] of aliases.entries()) {
    const at = path.index(index);
    validateIP(ip, at.child('ip'), errors);
    for (const [place, hostname] of hostnames.entries()) {
      validateFormat(hostname, dnsSubdomain, at.child('hostnames').index(place), errors);
    }
  }
}
