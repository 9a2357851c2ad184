import type * as core from '../../../generated/v1.35/core/v1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { ObjectReference } from './object-reference.ts';

/**
 * Returns the objects that the kubelet of a pod needs to read: its service account, secrets, config maps and claims,
 * all in the pod's namespace. A mirror pod has none, because a node could create mirror pods to read arbitrary objects.
 * (Graph.AddPod)
 */
export function podReferences(pod: core.Pod): readonly ObjectReference[] {
  const { metadata, spec } = pod;
  if (metadata?.annotations?.['kubernetes.io/config.mirror'] !== undefined) return [];
  const namespace = metadata?.namespace ?? '';
  const named = (resource: ObjectReference['resource'], names: Iterable<string | undefined>): ObjectReference[] =>
    [...new Set(names)].flatMap((name) => (name ? [{ resource, namespace, name }] : []));
  return [
    ...named('serviceaccounts', [spec?.serviceAccountName]),
    ...named('secrets', secretNames(pod)),
    ...named('configmaps', configMapNames(pod)),
    ...named('persistentvolumeclaims', claimNames(pod)),
    ...named('resourceclaims', resourceClaimNames(pod)),
  ];
}

/** Yields the names of a pod's secrets, some of them "" or undefined. (pkg/api/v1/pod/util.go VisitPodSecretNames) */
export function* secretNames({ spec }: Pod): Iterable<string | undefined> {
  for (const { name } of spec?.imagePullSecrets ?? []) yield name;
  for (const { env, envFrom } of containersOf(spec)) {
    for (const { secretRef } of envFrom ?? []) yield secretRef?.name;
    for (const { valueFrom } of env ?? []) yield valueFrom?.secretKeyRef?.name;
  }
  for (const volume of spec?.volumes ?? []) {
    yield volume.azureFile?.secretName;
    yield volume.secret?.secretName;
    yield volume.csi?.nodePublishSecretRef?.name;
    const { cephfs, cinder, flexVolume, rbd, scaleIO, iscsi, storageos } = volume;
    for (const source of [cephfs, cinder, flexVolume, rbd, scaleIO, iscsi, storageos]) yield source?.secretRef?.name;
    for (const { secret } of volume.projected?.sources ?? []) yield secret?.name;
  }
}

/** Yields the names of a pod's config maps, some of them undefined. (VisitPodConfigmapNames) */
export function* configMapNames({ spec }: Pod): Iterable<string | undefined> {
  for (const { env, envFrom } of containersOf(spec)) {
    for (const { configMapRef } of envFrom ?? []) yield configMapRef?.name;
    for (const { valueFrom } of env ?? []) yield valueFrom?.configMapKeyRef?.name;
  }
  for (const { configMap, projected } of spec?.volumes ?? []) {
    yield configMap?.name;
    for (const source of projected?.sources ?? []) yield source.configMap?.name;
  }
}

type Pod = Unvalidated<core.Pod>;
type Variables = Pick<Unvalidated<core.Container>, 'env' | 'envFrom'>;

function containersOf(spec: Pod['spec']): readonly Variables[] {
  return [...(spec?.initContainers ?? []), ...(spec?.containers ?? []), ...(spec?.ephemeralContainers ?? [])];
}

function* claimNames({ metadata, spec }: core.Pod): Iterable<string | undefined> {
  for (const { name, persistentVolumeClaim, ephemeral } of spec?.volumes ?? []) {
    if (persistentVolumeClaim !== undefined) yield persistentVolumeClaim.claimName;
    // (component-helpers storage/ephemeral VolumeClaimName)
    else if (ephemeral !== undefined) yield `${metadata?.name}-${name}`;
  }
}

/**
 * Yields the names of a pod's resource claims. The name of a claim from a template is in the status once the claim
 * exists. (dynamic-resource-allocation resourceclaim.Name)
 */
function* resourceClaimNames({ spec, status }: core.Pod): Iterable<string | undefined> {
  for (const claim of spec?.resourceClaims ?? []) {
    if (claim.resourceClaimName !== undefined) yield claim.resourceClaimName;
    else yield status?.resourceClaimStatuses?.find(({ name }) => name === claim.name)?.resourceClaimName;
  }
  yield status?.extendedResourceClaimStatus?.resourceClaimName;
}
