import type { Node, PersistentVolume, PersistentVolumeClaim, TopologySelectorTerm } from '../../../../../generated/v1.35/core/v1/types.ts';
import {
  annSelectedNode,
  findMatchingVolume,
  isFullyBound,
  isUsableOn,
  storageClassOf,
  storageIn,
} from '../../../../kinds/core/persistent-volume-binding/find-matching-volume.ts';
import { notForPod } from '../../../../kinds/core/pod/volume-claims.ts';
import { compareQuantities } from '../../../../machinery/scalars/quantity.ts';
import type { FilterPlugin, PodFilter } from '../../framework/plugin.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { type Status, unresolvable } from '../../framework/status.ts';
import { AssumedVolumes } from './assumed-volumes.ts';
import type { PodVolumes, VolumeBinder } from './volume-binder.ts';
import { claimNamesOf, claimNotFound, usesClaims, type VolumeListers } from './volume-listers.ts';

const name = 'VolumeBinding';
const nodeConflict = unresolvable(name, "node(s) didn't match PersistentVolume's node affinity");
const bindConflict = unresolvable(name, "node(s) didn't find available persistent volumes to bind");
const noVolume = unresolvable(name, 'node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)');
const unbound = unresolvable(name, 'pod has unbound immediate PersistentVolumeClaims');

/** The provisioner of classes whose volumes are created by hand. */
const notSupportedProvisioner = 'kubernetes.io/no-provisioner';

interface PodVolumeClaims {
  readonly bound: readonly PersistentVolumeClaim[];
  /** Claims that are bound when the pod's node is known. */
  readonly delayed: readonly PersistentVolumeClaim[];
}

/**
 * Checks that a node can use the pod's bound volumes, and finds or provisions volumes for its other claims.
 * (plugins/volumebinding)
 */
export function volumeBinding(listers: VolumeListers, binder: Pick<VolumeBinder, 'reserve'>): FilterPlugin {
  const assumed = new AssumedVolumes();
  return {
    name,
    hints: {
      NodeAdd: true,
      NodeLabel: true,
      PersistentVolumeClaim: (pod, { after }) => after?.metadata.namespace === pod.namespace,
      PersistentVolume: true,
      StorageClass: true,
      CSINode: true,
    },
    preFilter(pod) {
      if (!usesClaims(pod)) return undefined;
      const claims = podVolumeClaims(pod, listers);
      return 'code' in claims ? claims : volumeFilter(claims, { listers, binder, assumed });
    },
  };
}

/** (podHasPVCs, GetPodVolumeClaims) */
function podVolumeClaims(pod: PodInfo, { claims, classes }: VolumeListers): PodVolumeClaims | Status {
  const found: PersistentVolumeClaim[] = [];
  for (const { name: claimName, isEphemeral } of claimNamesOf(pod)) {
    const claim = claims.get(pod.namespace, claimName);
    const problem = problemOf(pod, claimName, isEphemeral, claim);
    if (problem !== undefined) return unresolvable(name, problem);
    if (claim !== undefined) found.push(claim);
  }
  const isDelayed = (claim: PersistentVolumeClaim): boolean =>
    !claim.spec?.volumeName && classes.get('', storageClassOf(claim))?.volumeBindingMode === 'WaitForFirstConsumer';
  const open = found.filter((claim) => !isFullyBound(claim));
  if (!open.every(isDelayed)) return unbound;
  return { bound: found.filter(isFullyBound), delayed: open };
}

function problemOf(
  { pod }: PodInfo,
  claimName: string,
  isEphemeral: boolean,
  claim: PersistentVolumeClaim | undefined,
): string | undefined {
  if (claim === undefined) {
    return isEphemeral
      ? `waiting for ephemeral volume controller to create the persistentvolumeclaim "${claimName}"`
      : claimNotFound(claimName);
  }
  const { metadata, spec, status } = claim;
  if (status?.phase === 'Lost') {
    return `persistentvolumeclaim "${claimName}" bound to non-existent persistentvolume "${spec?.volumeName ?? ''}"`;
  }
  if (metadata.deletionTimestamp) return `persistentvolumeclaim "${claimName}" is being deleted`;
  return isEphemeral ? notForPod(claim, pod.metadata) : undefined;
}

interface VolumeState {
  readonly listers: VolumeListers;
  readonly binder: Pick<VolumeBinder, 'reserve'>;
  readonly assumed: AssumedVolumes;
}

function volumeFilter({ bound, delayed }: PodVolumeClaims, state: VolumeState): PodFilter {
  const { volumes } = state.listers;
  const decided = new Map<string, PodVolumes>();
  return {
    filter({ name: nodeName, node }) {
      if (node === undefined) return nodeConflict;
      for (const claim of bound) {
        const volume = volumes.get('', claim.spec?.volumeName ?? '');
        if (volume === undefined) return noVolume;
        if (!isUsableOn(volume, node)) return nodeConflict;
      }
      const found = delayed.length === 0 ? undefined : findPodVolumes(delayed, node, state);
      if (found === null) return bindConflict;
      if (found !== undefined) decided.set(nodeName, found);
      return undefined;
    },
    reserve({ name: nodeName }) {
      const chosen = decided.get(nodeName);
      return chosen && state.binder.reserve(nodeName, chosen, state.assumed);
    },
  };
}

/** Returns null if some claim has no volume, and no provisioner for the node. (FindPodVolumes) */
function findPodVolumes(claims: readonly PersistentVolumeClaim[], node: Node, { listers, assumed }: VolumeState): PodVolumes | null {
  const bindings: { volume: PersistentVolume; claim: PersistentVolumeClaim }[] = [];
  const provisions: PersistentVolumeClaim[] = [];
  const sizeOf = ({ spec }: PersistentVolumeClaim) => storageIn(spec?.resources?.requests);
  for (const claim of [...claims].sort((a, b) => compareQuantities(sizeOf(a), sizeOf(b)))) {
    const selected = assumed.nodeOf(claim) ?? claim.metadata.annotations?.[annSelectedNode];
    if (selected !== undefined && selected !== node.metadata.name) return null;
    const free = (volume: PersistentVolume): boolean =>
      assumed.isFreeFor(volume, claim) && !bindings.some((binding) => binding.volume === volume);
    const className = storageClassOf(claim);
    const volume =
      selected === undefined
        ? findMatchingVolume(
            claim,
            filtered(listers.volumes.list(), (one) => storageClassOf(one) === className && free(one)),
            node,
          )
        : undefined;
    if (volume !== undefined) bindings.push({ volume, claim });
    else provisions.push(claim);
  }
  return provisions.every((claim) => canProvision(claim, node, listers)) ? { bindings, provisions } : null;
}

function* filtered<T>(items: Iterable<T>, isWanted: (item: T) => boolean): Iterable<T> {
  for (const item of items) if (isWanted(item)) yield item;
}

/** (checkVolumeProvisions) */
function canProvision(claim: PersistentVolumeClaim, node: Node, { classes }: VolumeListers): boolean {
  const { provisioner, allowedTopologies } = classes.get('', storageClassOf(claim)) ?? {};
  if (!provisioner || provisioner === notSupportedProvisioner) return false;
  return matchesTopologies(allowedTopologies ?? [], node);
}

/** Reports whether a term matches the node, or there are no terms. (MatchTopologySelectorTerms) */
function matchesTopologies(terms: readonly TopologySelectorTerm[], { metadata: { labels = {} } }: Node): boolean {
  if (terms.length === 0) return true;
  return terms.some(
    ({ matchLabelExpressions = [] }) =>
      matchLabelExpressions.length > 0 &&
      matchLabelExpressions.every(({ key, values }) => Object.hasOwn(labels, key) && values.includes(labels[key] ?? '')),
  );
}
