import { quote } from '../../../machinery/go/quote.ts';
import type { KubeObject, Part } from '../../../machinery/object.ts';
import { dnsLabel } from '../../../machinery/validation/name-formats.ts';
import { addIPWarnings } from '../../validation/ip-warnings.ts';
import type { WarningStrategy } from '../../warnings.ts';
import { addFractionalByteWarnings } from '../resource-list.ts';
import {
  addEnvironmentWarnings,
  addResourceWarnings,
  byteResources,
  type ContainerPosition,
  containersOf,
} from './container-warnings.ts';
import { addPortWarnings } from './port-warnings.ts';
import { addNodeSelectionWarnings, addPodAffinityWarnings } from './scheduling-warnings.ts';
import { addVolumePathWarnings, addVolumeTypeWarnings } from './volume-warnings.ts';

/** Pods and their templates. (pkg/api/pod/warnings.go, pkg/registry/core/pod/strategy.go) */

/** Updates of pods themselves are many and seldom by hand: nothing is said of them. */
export const podWarnings: WarningStrategy = {
  warningsOnCreate(pod) {
    const warnings: string[] = [];
    addNameWarnings(pod, "this is used in the Pod's hostname", warnings);
    addPodWarnings(pod, '', warnings);
    return warnings;
  },
  warningsOnStatusUpdate({ status }) {
    const warnings: string[] = [];
    for (const list of ['podIPs', 'hostIPs']) {
      for (const [index, { ip = '' }] of (status?.[list] ?? []).entries()) {
        addIPWarnings(`status.${list}[${index}].ip`, ip, warnings);
      }
    }
    return warnings;
  },
};

/** Of a name that hosts cannot have. */
export function addNameWarnings({ metadata: { name = '' } }: KubeObject, use: string, warnings: string[]): void {
  const problems = dnsLabel(name);
  if (problems.length === 0) return;
  const advice = 'which can result in surprising behavior; a DNS label is recommended';
  warnings.push(`metadata.name: ${use}, ${advice}: [${problems.join(' ')}]`);
}

/** Of a pod template at `path`. */
export function addPodTemplateWarnings(template: Part, path: string, warnings: string[]): void {
  if (template) addPodWarnings(template, `${path}.`, warnings);
}

/** @param prefix "" for a pod itself, else where the template is, with a dot */
function addPodWarnings(pod: Part, prefix: string, warnings: string[]): void {
  const spec = pod.spec ?? {};
  const path = `${prefix}spec`;
  const volumes: readonly Part[] = spec.volumes ?? [];
  const annotations = pod.metadata?.annotations;
  addNodeSelectionWarnings(spec, path, warnings);
  if (annotations) addAnnotationWarnings(annotations, prefix, warnings);
  addVolumeTypeWarnings(volumes, `${path}.volumes`, warnings);
  addVolumePathWarnings(volumes, warnings);
  addDuplicateWarnings(spec.hostAliases, 'ip', `${path}.hostAliases`, warnings);
  addDuplicateWarnings(spec.imagePullSecrets, 'name', `${path}.imagePullSecrets`, warnings);
  for (const [index, { name = '' }] of (spec.imagePullSecrets ?? []).entries()) {
    if (name === '') warnings.push(`${path}.imagePullSecrets[${index}].name: invalid empty name ""`);
  }
  addFractionalByteWarnings(spec.overhead, byteResources, `${path}.overhead`, warnings);
  const seats = containersOf(spec, path);
  if (annotations) addPodSeccompWarnings(spec, annotations, prefix, warnings);
  for (const seat of seats) {
    if (annotations) addContainerProfileWarnings(seat, spec, annotations, prefix, warnings);
    addResourceWarnings(seat, warnings);
    addEnvironmentWarnings(seat, warnings);
  }
  addPortWarnings(seats, warnings);
  if (spec.terminationGracePeriodSeconds < 0) {
    const effect = 'must be >= 0; negative values are invalid and will be treated as 1';
    warnings.push(`${path}.terminationGracePeriodSeconds: ${effect}`);
  }
  addPodAffinityWarnings(spec, path, warnings);
  for (const [index, server] of (spec.dnsConfig?.nameservers ?? []).entries()) {
    addIPWarnings(`${path}.dnsConfig.nameservers[${index}]`, server, warnings);
  }
  for (const [index, { ip = '' }] of (spec.hostAliases ?? []).entries()) {
    addIPWarnings(`${path}.hostAliases[${index}].ip`, ip, warnings);
  }
}

function addDuplicateWarnings(items: Part, field: string, path: string, warnings: string[]): void {
  if (!(items?.length > 1)) return;
  const seen = new Set<string>();
  for (const [index, item] of items.entries()) {
    const value = item[field] ?? '';
    if (seen.has(value)) warnings.push(`${path}[${index}].${field}: duplicate ${field} ${quote(value)}`);
    seen.add(value);
  }
}

type Annotations = Readonly<Record<string, string>>;

const retiredAnnotations: readonly (readonly [string, string])[] = [
  ['scheduler.alpha.kubernetes.io/critical-pod', 'non-functional in v1.16+; use the "priorityClassName" field instead'],
  ['security.alpha.kubernetes.io/sysctls', 'non-functional in v1.11+; use the "sysctls" field instead'],
  ['security.alpha.kubernetes.io/unsafe-sysctls', 'non-functional in v1.11+; use the "sysctls" field instead'],
];

function addAnnotationWarnings(annotations: Annotations, prefix: string, warnings: string[]): void {
  for (const [key, why] of retiredAnnotations) {
    if (Object.hasOwn(annotations, key)) warnings.push(`${prefix}metadata.annotations[${key}]: ${why}`);
  }
}

const seccompPod = 'seccomp.security.alpha.kubernetes.io/pod';
const seccompContainer = 'container.seccomp.security.alpha.kubernetes.io/';
const noSeccomp = 'non-functional in v1.27+; use the "seccompProfile" field instead';

/** Followed by a container's name. */
export const appArmorAnnotation = 'container.apparmor.security.beta.kubernetes.io/';

/** What is said of that annotation without the field. */
export const appArmorWarning = (prefix: string, key: string): string =>
  `${prefix}metadata.annotations[${key}]: deprecated since v1.30; use the "appArmorProfile" field instead`;

function addPodSeccompWarnings(spec: Part, annotations: Annotations, prefix: string, warnings: string[]): void {
  if (spec.securityContext?.seccompProfile || !Object.hasOwn(annotations, seccompPod)) return;
  warnings.push(`${prefix}metadata.annotations[${seccompPod}]: ${noSeccomp}`);
}

/** Of annotations in place of a container's fields. Pods have AppArmor's turned into fields before, and are told then. */
function addContainerProfileWarnings(
  { container }: ContainerPosition,
  spec: Part,
  annotations: Annotations,
  prefix: string,
  warnings: string[],
): void {
  const seccomp = `${seccompContainer}${container.name}`;
  if (!container.securityContext?.seccompProfile && Object.hasOwn(annotations, seccomp)) {
    warnings.push(`${prefix}metadata.annotations[${seccomp}]: ${noSeccomp}`);
  }
  if (prefix === '' || spec.securityContext?.appArmorProfile || container.securityContext?.appArmorProfile) return;
  const appArmor = `${appArmorAnnotation}${container.name}`;
  if (Object.hasOwn(annotations, appArmor)) warnings.push(appArmorWarning(prefix, appArmor));
}
