import { duplicate, forbidden, invalid, required } from '../../machinery/field-error.ts';
import type { FieldPath } from '../../machinery/field-path.ts';
import type { Part } from '../../machinery/object.ts';
import { checkEnum, checkFormat, checkIP, checkLabels, checkName, checkRequiredEnum, type Errors } from './checks.ts';
import { checkContainers, checkEphemeralContainers, checkInitContainers, type PodContext } from './containers.ts';
import { checkAffinity, checkTolerations, checkTopologySpread } from './placement.ts';
import { checkContainerResourceName, checkRequirements, type NameCheck } from './resource-lists.ts';
import { checkHostUsers, checkOperatingSystem, checkPodSecurity } from './security.ts';
import { dnsLabel, dnsSubdomain, dnsSubdomainWithUnderscore, qualifiedName, rangeText } from './text-formats.ts';
import { checkVolumes } from './volumes.ts';

const dnsPolicies = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];
const largestInt32 = 2147483647;

/** The spec of a pod, in a pod or in a template. (pkg/apis/core/validation, ValidatePodSpec) */
export function checkPodSpec(spec: Part, path: FieldPath, errors: Errors): void {
  const { initContainers = [], ephemeralContainers = [], volumes = [] } = spec;
  const containers = spec.containers ?? []; // null where there are none
  const pod: PodContext = {
    volumes: new Map(volumes.map((volume: Part) => [volume.name, volume])),
    claimNames: new Set((spec.resourceClaims ?? []).map(({ name }: Part) => name).filter(Boolean)),
    graceSeconds: spec.terminationGracePeriodSeconds,
    restartPolicy: spec.restartPolicy ?? '',
    hostUsers: spec.hostUsers !== false,
  };
  checkVolumes(volumes, path.child('volumes'), errors);
  checkResourceClaims(spec.resourceClaims ?? [], path.child('resourceClaims'), errors);
  checkContainers(containers, pod, path.child('containers'), errors);
  checkInitContainers(initContainers, containers, pod, path.child('initContainers'), errors);
  const others = [...containers, ...initContainers];
  checkEphemeralContainers(ephemeralContainers, others, pod, path.child('ephemeralContainers'), errors);
  checkPodResources(spec.resources, path.child('resources'), errors);
  checkRequiredEnum(spec.restartPolicy, ['Always', 'OnFailure', 'Never'], path.child('restartPolicy'), errors);
  checkRequiredEnum(spec.dnsPolicy, dnsPolicies, path.child('dnsPolicy'), errors);
  checkLabels(spec.nodeSelector, path.child('nodeSelector'), errors);
  checkPodSecurity(spec.securityContext, spec, path.child('securityContext'), errors);
  if (spec.affinity) checkAffinity(spec.affinity, path.child('affinity'), errors);
  checkDNS(spec, path.child('dnsConfig'), errors);
  checkGates(spec, path, errors);
  checkTopologySpread(spec.topologySpreadConstraints ?? [], path.child('topologySpreadConstraints'), errors);
  checkHostUsers(spec, path, errors);
  checkNames(spec, path, errors);
  checkDeadline(spec.activeDeadlineSeconds, path.child('activeDeadlineSeconds'), errors);
  checkTolerations(spec.tolerations ?? [], path.child('tolerations'), errors);
  checkHostAliases(spec.hostAliases ?? [], path.child('hostAliases'), errors);
  if (spec.preemptionPolicy !== undefined) {
    const policies = ['PreemptLowerPriority', 'Never'];
    checkRequiredEnum(spec.preemptionPolicy, policies, path.child('preemptionPolicy'), errors);
  }
  const overhead = { limits: spec.overhead };
  checkRequirements(overhead, checkContainerResourceName, pod.claimNames, path.child('overhead'), errors);
  checkOperatingSystem(spec, path, errors);
}

function checkNames(spec: Part, path: FieldPath, errors: Errors): void {
  for (const name of ['serviceAccountName', 'nodeName', 'priorityClassName']) {
    if (spec[name]) checkFormat(spec[name], dnsSubdomain, path.child(name), errors);
  }
  for (const name of ['hostname', 'subdomain']) {
    if (spec[name]) checkFormat(spec[name], dnsLabel, path.child(name), errors);
  }
  if (spec.runtimeClassName !== undefined) {
    checkFormat(spec.runtimeClassName, dnsSubdomain, path.child('runtimeClassName'), errors);
  }
}

function checkDeadline(seconds: number | undefined, path: FieldPath, errors: Errors): void {
  if (seconds !== undefined && (seconds < 1 || seconds > largestInt32)) {
    errors.push(invalid(path, seconds, rangeText(1, largestInt32)));
  }
}

function checkResourceClaims(claims: readonly Part[], path: FieldPath, errors: Errors): void {
  const seen = new Set<string>();
  for (const [index, claim] of claims.entries()) {
    const at = path.index(index);
    if (claim.name && seen.has(claim.name)) errors.push(duplicate(at.child('name'), claim.name));
    else checkName(claim.name, dnsLabel, at.child('name'), errors);
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
    for (const name of given) checkFormat(claim[name], dnsSubdomain, at.child(name), errors);
  }
}

const checkPodResourceName: NameCheck = (name, path, errors) => {
  if (!name.startsWith('hugepages-')) checkEnum(name, ['cpu', 'memory'], path, errors);
};

function checkPodResources(resources: Part, path: FieldPath, errors: Errors): void {
  if (!resources) return;
  if (resources.claims?.length) {
    errors.push(forbidden(path.child('claims'), 'claims cannot be set for Resources at pod-level'));
  }
  checkRequirements({ ...resources, claims: [] }, checkPodResourceName, new Set(), path, errors);
}

function checkDNS({ dnsConfig, dnsPolicy }: Part, path: FieldPath, errors: Errors): void {
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
  for (const [index, server] of nameservers.entries()) checkIP(server, path.child('nameservers').index(index), errors);
  if (searches.length > 32) {
    errors.push(invalid(path.child('searches'), searches, 'must not have more than 32 search paths'));
  }
  if (searches.join(' ').length > 2048) {
    const detail = 'must not have more than 2048 characters (including spaces) in the search list';
    errors.push(invalid(path.child('searches'), searches, detail));
  }
  for (const [index, search] of searches.entries()) {
    if (search === '.') continue;
    checkFormat(search.replace(/\.$/, ''), dnsSubdomainWithUnderscore, path.child('searches').index(index), errors);
  }
  for (const [index, option] of options.entries()) {
    if (!option.name) errors.push(required(path.child('options').index(index), 'must not be empty'));
  }
}

function checkGates({ readinessGates = [], schedulingGates = [] }: Part, path: FieldPath, errors: Errors): void {
  for (const [index, { conditionType = '' }] of readinessGates.entries()) {
    checkFormat(conditionType, qualifiedName, path.child('readinessGates').index(index).child('conditionType'), errors);
  }
  const seen = new Set<string>();
  for (const [index, { name = '' }] of schedulingGates.entries()) {
    const at = path.child('schedulingGates').index(index);
    checkFormat(name, qualifiedName, at, errors);
    if (seen.has(name)) errors.push(duplicate(at, name));
    seen.add(name);
  }
}

function checkHostAliases(aliases: readonly Part[], path: FieldPath, errors: Errors): void {
  for (const [index, { ip = '', hostnames = [] }] of aliases.entries()) {
    const at = path.index(index);
    checkIP(ip, at.child('ip'), errors);
    for (const [place, hostname] of hostnames.entries()) {
      checkFormat(hostname, dnsSubdomain, at.child('hostnames').index(place), errors);
    }
  }
}
