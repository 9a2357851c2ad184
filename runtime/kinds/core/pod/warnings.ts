import type * as core from '../../../../generated/v1.35/core/v1/types.ts';
import { quote } from '../../../machinery/go/quote.ts';
import { equalJson } from '../../../machinery/json/equality.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import { dnsLabel } from '../../../machinery/validation/name-formats.ts';
import { addIPWarnings } from '../../validation/ip-warnings.ts';
import type { WriteWarnings } from '../../warnings.ts';
import { addFractionalByteWarnings } from '../resource-list.ts';
import { addEnvironmentWarnings, addResourceWarnings, byteResources, containersOf } from './container-warnings.ts';
import { addPortWarnings } from './port-warnings.ts';
import { appArmorAnnotation, appArmorFieldForAnnotation, seccompContainerAnnotation, seccompPodAnnotation } from './profile-annotations.ts';
import { addNodeSelectionWarnings, addPodAffinityWarnings } from './scheduling-warnings.ts';
import { addVolumePathWarnings, addVolumeTypeWarnings } from './volume-warnings.ts';

/** Pods and pod templates. (pkg/api/pod/warnings.go) */

type Pod = Unvalidated<core.Pod>;
type PodTemplate = Unvalidated<core.PodTemplateSpec>;
type PodSpec = Unvalidated<core.PodSpec>;

/**
 * Updates have no warnings, because they are frequent and rarely come from people. (pkg/registry/core/pod/strategy.go)
 */
export const podWarnings: WriteWarnings<Pod> = {
  warningsOnCreate(pod) {
    const warnings: string[] = [];
    addNameWarnings(pod, "this is used in the Pod's hostname", warnings);
    addPodWarnings(pod, '', warnings);
    return warnings;
  },
  warningsOnStatusUpdate({ status }) {
    const warnings: string[] = [];
    for (const list of ['podIPs', 'hostIPs'] as const) {
      for (const [index, { ip = '' }] of (status?.[list] ?? []).entries()) {
        addIPWarnings(`status.${list}[${index}].ip`, ip, warnings);
      }
    }
    return warnings;
  },
};

/**
 * Warns about a name that is not a DNS label.
 *
 * @param use the use of the name, for the warning
 */
export function addNameWarnings({ metadata }: Pick<Pod, 'metadata'>, use: string, warnings: string[]): void {
  const messages = dnsLabel(metadata?.name ?? '');
  if (messages.length === 0) return;
  const advice = 'which can result in surprising behavior; a DNS label is recommended';
  warnings.push(`metadata.name: ${use}, ${advice}: [${messages.join(' ')}]`);
}

/** (GetWarningsForPodTemplate) */
export function addPodTemplateWarnings(template: PodTemplate | undefined, path: string, warnings: string[]): void {
  if (template) addPodWarnings(template, `${path}.`, warnings);
}

/**
 * (warningsForPodSpecAndMeta)
 *
 * @param prefix "" for a pod, otherwise the path of the template with a dot
 */
function addPodWarnings(pod: Pod | PodTemplate, prefix: string, warnings: string[]): void {
  const spec = pod.spec ?? {};
  const path = `${prefix}spec`;
  const volumes = spec.volumes ?? [];
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
  const positions = containersOf(spec, path);
  const profiles = annotations && { annotations, spec, prefix };
  if (profiles) addPodSeccompWarnings(profiles, warnings);
  for (const position of positions) {
    if (profiles) addContainerProfileWarnings(position.container, profiles, warnings);
    addResourceWarnings(position, warnings);
    addEnvironmentWarnings(position, warnings);
  }
  addPortWarnings(positions, warnings);
  if ((spec.terminationGracePeriodSeconds ?? 0) < 0) {
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

function addDuplicateWarnings<Field extends string>(
  items: readonly { readonly [Name in Field]?: string }[] | undefined,
  field: Field,
  path: string,
  warnings: string[],
): void {
  if (items === undefined || items.length < 2) return;
  const seen = new Set<string>();
  for (const [index, item] of items.entries()) {
    const value = item[field] ?? '';
    if (seen.has(value)) warnings.push(`${path}[${index}].${field}: duplicate ${field} ${quote(value)}`);
    seen.add(value);
  }
}

type Annotations = Readonly<Record<string, string>>;

const deprecatedAnnotations: readonly (readonly [string, string])[] = [
  ['scheduler.alpha.kubernetes.io/critical-pod', 'non-functional in v1.16+; use the "priorityClassName" field instead'],
  ['security.alpha.kubernetes.io/sysctls', 'non-functional in v1.11+; use the "sysctls" field instead'],
  ['security.alpha.kubernetes.io/unsafe-sysctls', 'non-functional in v1.11+; use the "sysctls" field instead'],
];

function addAnnotationWarnings(annotations: Annotations, prefix: string, warnings: string[]): void {
  for (const [key, why] of deprecatedAnnotations) {
    if (Object.hasOwn(annotations, key)) warnings.push(`${prefix}metadata.annotations[${key}]: ${why}`);
  }
}

const noSeccomp = 'non-functional in v1.27+; use the "seccompProfile" field instead';

export const appArmorWarning = (prefix: string, key: string): string =>
  `${prefix}metadata.annotations[${key}]: deprecated since v1.30; use the "appArmorProfile" field instead`;

/** A pod or template whose annotations may name profiles in place of fields. */
interface AnnotatedPod {
  readonly annotations: Annotations;
  readonly spec: PodSpec;
  readonly prefix: string;
}

function addPodSeccompWarnings({ annotations, spec, prefix }: AnnotatedPod, warnings: string[]): void {
  if (spec.securityContext?.seccompProfile || !Object.hasOwn(annotations, seccompPodAnnotation)) return;
  warnings.push(`${prefix}metadata.annotations[${seccompPodAnnotation}]: ${noSeccomp}`);
}

/** AppArmor's annotations of pods are handled when they are copied to fields: see app-armor.ts. */
function addContainerProfileWarnings(
  container: Unvalidated<core.Container>,
  { annotations, spec, prefix }: AnnotatedPod,
  warnings: string[],
): void {
  const seccomp = `${seccompContainerAnnotation}${container.name}`;
  if (!container.securityContext?.seccompProfile && Object.hasOwn(annotations, seccomp)) {
    warnings.push(`${prefix}metadata.annotations[${seccomp}]: ${noSeccomp}`);
  }
  if (prefix === '' || container.securityContext?.appArmorProfile) return;
  const appArmor = `${appArmorAnnotation}${container.name}`;
  const annotation = Object.hasOwn(annotations, appArmor) ? annotations[appArmor] : undefined;
  if (annotation === undefined) return;
  const podProfile = spec.securityContext?.appArmorProfile;
  if (podProfile && equalJson(podProfile, appArmorFieldForAnnotation(annotation))) return;
  warnings.push(appArmorWarning(prefix, appArmor));
}
