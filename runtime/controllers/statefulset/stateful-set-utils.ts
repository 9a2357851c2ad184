import type { StatefulSet } from '../../../generated/v1.35/apps/v1/types.ts';
import type { PersistentVolumeClaim, Pod, Volume } from '../../../generated/v1.35/core/v1/types.ts';
import { defined, setOrDelete } from '../../machinery/json/defined.ts';

/** The names and identities of pods. (pkg/controller/statefulset/stateful_set_utils.go) */

export const podNameLabel = 'statefulset.kubernetes.io/pod-name';
export const podIndexLabel = 'apps.kubernetes.io/pod-index';
export const revisionLabel = 'controller-revision-hash';
export const setReference = { apiVersion: 'apps/v1', kind: 'StatefulSet' } as const;
export const podReference = { apiVersion: 'v1', kind: 'Pod' } as const;

export const startOrdinal = ({ spec }: StatefulSet): number => spec?.ordinals?.start ?? 0;
export const endOrdinal = (set: StatefulSet): number => startOrdinal(set) + (set.spec?.replicas ?? 1) - 1;
export const podName = ({ metadata: { name } }: StatefulSet, ordinal: number): string => `${name}-${ordinal}`;

/** The largest int32. */
const maxOrdinal = 2 ** 31 - 1;

/**
 * Returns the number at the end of a pod's name; -1 if there is none. Called for each pod in each sync of its set.
 * (getOrdinal)
 */
export function ordinalOf({ metadata: { name = '' } }: Pod): number {
  const start = name.lastIndexOf('-') + 1;
  if (start === 0 || start === name.length) return -1;
  let ordinal = 0;
  for (let at = start; at < name.length; at++) {
    const digit = name.charCodeAt(at) - 0x30;
    if (digit < 0 || digit > 9) return -1;
    ordinal = 10 * ordinal + digit;
  }
  return ordinal <= maxOrdinal ? ordinal : -1;
}

/** Reports whether the pod's name is the set's name and a number. */
export function isMemberOf({ metadata: { name = '' } }: StatefulSet, { metadata }: Pod): boolean {
  const { name: podName = '' } = metadata;
  return podName.startsWith(name) && podName.lastIndexOf('-') === name.length && /^[0-9]+$/.test(podName.slice(name.length + 1));
}

/** (podInOrdinalRange) */
export function isInOrdinalRange(pod: Pod, set: StatefulSet): boolean {
  const ordinal = ordinalOf(pod);
  return ordinal >= startOrdinal(set) && ordinal <= endOrdinal(set);
}

/** Returns the name of a pod's claim for a template. (getPersistentVolumeClaimName) */
export const claimName = (set: StatefulSet, template: PersistentVolumeClaim, ordinal: number): string =>
  `${template.metadata.name}-${set.metadata.name}-${ordinal}`;

/** Returns the claims that a pod needs, one for each template. (getPersistentVolumeClaims) */
export function claimsOf(set: StatefulSet, pod: Pod): PersistentVolumeClaim[] {
  const ordinal = ordinalOf(pod);
  return (set.spec?.volumeClaimTemplates ?? []).map((template) => {
    const claim = structuredClone(template);
    claim.metadata.name = claimName(set, template, ordinal);
    setOrDelete(claim.metadata, 'namespace', set.metadata.namespace);
    claim.metadata.labels = { ...claim.metadata.labels, ...set.spec?.selector?.matchLabels };
    return claim;
  });
}

export function identityMatches(set: StatefulSet, pod: Pod): boolean {
  const ordinal = ordinalOf(pod);
  const { name, namespace, labels } = pod.metadata;
  return ordinal >= 0 && name === podName(set, ordinal) && namespace === set.metadata.namespace && labels?.[podNameLabel] === name;
}

/** Reports whether the pod's volumes are the claims of the templates. */
export function storageMatches(set: StatefulSet, pod: Pod): boolean {
  const ordinal = ordinalOf(pod);
  if (ordinal < 0) return false;
  const volumes = pod.spec?.volumes ?? [];
  return (set.spec?.volumeClaimTemplates ?? []).every((template) => {
    const volume = volumes.findLast(({ name }) => name === template.metadata.name);
    return volume?.persistentVolumeClaim?.claimName === claimName(set, template, ordinal);
  });
}

/** Sets the pod's name and labels, in place. */
export function updateIdentity(set: StatefulSet, pod: Pod): void {
  const ordinal = ordinalOf(pod);
  const name = podName(set, ordinal);
  const labels = { ...pod.metadata.labels, [podNameLabel]: name, [podIndexLabel]: String(ordinal) };
  pod.metadata = defined({ ...pod.metadata, name, namespace: set.metadata.namespace, labels });
}

/** Puts the claims of the templates into the pod's volumes, in place. Volumes of the same name are replaced. */
export function updateStorage(set: StatefulSet, pod: Pod): void {
  const templates = set.spec?.volumeClaimTemplates ?? [];
  if (templates.length === 0) return;
  const ordinal = ordinalOf(pod);
  const claims = templates.map((template): Volume => {
    const { name = '' } = template.metadata;
    return { name, persistentVolumeClaim: { claimName: claimName(set, template, ordinal) } };
  });
  const others = (pod.spec?.volumes ?? []).filter(({ name }) => !claims.some((claim) => claim.name === name));
  pod.spec = { containers: [], ...pod.spec, volumes: [...claims, ...others] };
}

/** Returns the pod's revision, or "" if the label is absent. */
export const podRevision = ({ metadata: { labels } }: Pod): string => labels?.[revisionLabel] ?? '';

export const allowsBurst = ({ spec }: StatefulSet): boolean => spec?.podManagementPolicy === 'Parallel';
