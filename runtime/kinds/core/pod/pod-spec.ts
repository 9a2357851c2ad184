import type * as core from '../../../../generated/v1.35/core/v1/types.ts';
import type { ObjectMeta } from '../../../machinery/object.ts';
import { maxInt32 } from '../../../machinery/scalars/integers.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import type { Field } from '../../../machinery/validation/field.ts';
import { dnsLabel, dnsSubdomain } from '../../../machinery/validation/name-formats.ts';
import { rangeText, validateFormat, validateRequiredEnum } from '../../validation/fields.ts';
import { validateLabels } from '../../validation/labels.ts';
import { validateAffinity } from './affinity.ts';
import { validatePodHostNetworkDeps } from './container-ports.ts';
import { type PodContext, validateContainers, validateEphemeralContainers, validateInitContainers } from './containers.ts';
import { validateHostAliases, validatePodDNSConfig, validatePodHostName } from './dns.ts';
import { validateFileKeyRefVolumes } from './environment.ts';
import { validateOS } from './operating-system.ts';
import { validatePodResources } from './pod-resources.ts';
import { validatePodResourceClaims } from './resource-claims.ts';
import { validateOverhead } from './resource-requirements.ts';
import { validateReadinessGates, validateSchedulingGates, validateTolerations } from './scheduling.ts';
import { validateHostUsers, validatePodSpecSecurityContext } from './security-context.ts';
import { validateTopologySpreadConstraints } from './topology-spread.ts';
import type { PodValidationOptions } from './validation-options.ts';
import { validateVolumes } from './volumes.ts';
import { validateWindowsHostProcessPod } from './windows-options.ts';

const preemptionPolicies = ['PreemptLowerPriority', 'Never'];
const dnsPolicies = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];

/** (validateWorkloadReference) */
function validateWorkloadReference(
  { name = '', podGroup = '', podGroupReplicaKey = '' }: Unvalidated<core.WorkloadReference>,
  field: Field,
): void {
  validateFormat(name, dnsSubdomain, field.child('name'));
  validateFormat(podGroup, dnsLabel, field.child('podGroup'));
  if (podGroupReplicaKey !== '') validateFormat(podGroupReplicaKey, dnsLabel, field.child('podGroupReplicaKey'));
}

/**
 * (pkg/apis/core/validation, ValidatePodSpec)
 *
 * @param metadata of the pod; absent for a template
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
    volumes: validateVolumes(volumes, metadata, field.child('volumes'), options),
    claimNames: new Set((spec.resourceClaims ?? []).flatMap(({ name }) => (name ? [name] : []))),
    gracePeriod: spec.terminationGracePeriodSeconds,
    restartPolicy: spec.restartPolicy ?? '',
    hostUsers: spec.hostUsers !== false,
    metadata,
    options,
  };
  validatePodResourceClaims(spec.resourceClaims ?? [], metadata, field);
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
  validatePodHostName(spec, field);
  validateNodeAndAccount(spec, field);
  validateActiveDeadlineSeconds(spec.activeDeadlineSeconds, field.child('activeDeadlineSeconds'));
  const { hostname, subdomain, priorityClassName, runtimeClassName, preemptionPolicy } = spec;
  if (hostname) validateFormat(hostname, dnsLabel, field.child('hostname'));
  if (subdomain) validateFormat(subdomain, dnsLabel, field.child('subdomain'));
  validateTolerations(spec.tolerations ?? [], field.child('tolerations'));
  validateHostAliases(spec.hostAliases ?? [], field.child('hostAliases'));
  if (priorityClassName) validateFormat(priorityClassName, dnsSubdomain, field.child('priorityClassName'));
  if (runtimeClassName !== undefined) validateFormat(runtimeClassName, dnsSubdomain, field.child('runtimeClassName'));
  if (preemptionPolicy !== undefined) {
    validateRequiredEnum(preemptionPolicy, preemptionPolicies, field.child('preemptionPolicy'));
  }
  if (spec.overhead) validateOverhead(spec.overhead, field.child('overhead'), options);
  validateOS(spec, field);
  if (spec.workloadRef) validateWorkloadReference(spec.workloadRef, field.child('workloadRef'));
  validateFileKeyRefVolumes(spec, field);
}

function validateNodeAndAccount({ serviceAccountName, nodeName }: Unvalidated<core.PodSpec>, field: Field): void {
  if (serviceAccountName) validateFormat(serviceAccountName, dnsSubdomain, field.child('serviceAccountName'));
  if (nodeName) validateFormat(nodeName, dnsSubdomain, field.child('nodeName'));
}

function validateActiveDeadlineSeconds(seconds: number | undefined, field: Field): void {
  if (seconds !== undefined && (seconds < 1 || seconds > maxInt32)) {
    field.invalid(seconds, rangeText(1, maxInt32));
  }
}
