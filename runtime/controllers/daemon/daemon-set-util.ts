import type { DaemonSet } from '../../../generated/v1.35/apps/v1/types.ts';
import type { Affinity, Pod, PodTemplateSpec, Toleration } from '../../../generated/v1.35/core/v1/types.ts';
import { addOrUpdateTolerations } from '../../kinds/core/pod/tolerations.ts';
import { cloneJson } from '../../machinery/json/clone.ts';
import { scaledIntOrPercent } from '../../machinery/scalars/int-or-string.ts';
import { parseInt64 } from '../../machinery/selectors/label-requirement.ts';

/** (pkg/controller/daemon/util/daemonset_util.go) */

export const setReference = { apiVersion: 'apps/v1', kind: 'DaemonSet' } as const;
export const hashLabel = 'controller-revision-hash';
const templateGenerationLabel = 'pod-template-generation';
const templateGenerationAnnotation = 'deprecated.daemonset.template.generation';

const exists = (key: string, effect: 'NoExecute' | 'NoSchedule'): Toleration => ({ key, operator: 'Exists', effect });

const daemonTolerations: readonly Toleration[] = [
  exists('node.kubernetes.io/not-ready', 'NoExecute'),
  exists('node.kubernetes.io/unreachable', 'NoExecute'),
  exists('node.kubernetes.io/disk-pressure', 'NoSchedule'),
  exists('node.kubernetes.io/memory-pressure', 'NoSchedule'),
  exists('node.kubernetes.io/pid-pressure', 'NoSchedule'),
  exists('node.kubernetes.io/unschedulable', 'NoSchedule'),
];
const hostNetworkToleration = exists('node.kubernetes.io/network-unavailable', 'NoSchedule');

/** Adds the tolerations of daemon pods, in place. (AddOrUpdateDaemonPodTolerations) */
export function addDaemonPodTolerations(spec: NonNullable<Pod['spec']>): void {
  addOrUpdateTolerations(spec, [...daemonTolerations, ...(spec.hostNetwork ? [hostNetworkToleration] : [])]);
}

/** Returns the template generation in the annotation; undefined if there is none. (GetTemplateGeneration) */
export function templateGeneration({ metadata: { annotations } }: DaemonSet): string | undefined {
  const generation = parseInt64(annotations?.[templateGenerationAnnotation] ?? '');
  return generation === undefined ? undefined : String(generation);
}

/** Returns the template of the daemon set's pods: with tolerations, and labels of its revision. (CreatePodTemplate) */
export function createPodTemplate(daemonSet: DaemonSet, hash: string): PodTemplateSpec {
  const template = cloneJson(daemonSet.spec?.template ?? {});
  const generation = templateGeneration(daemonSet);
  const spec = { containers: [], ...template.spec };
  addDaemonPodTolerations(spec);
  const labels = {
    ...template.metadata?.labels,
    ...(generation !== undefined && { [templateGenerationLabel]: generation }),
    ...(hash !== '' && { [hashLabel]: hash }),
  };
  return { ...template, metadata: { ...template.metadata, labels }, spec };
}

/** Reports whether a pod has the current template. (IsPodUpdated) */
export function isPodUpdated({ metadata: { labels } }: Pod, daemonSet: DaemonSet, hash: string): boolean {
  if (hash !== '' && labels?.[hashLabel] === hash) return true;
  const generation = templateGeneration(daemonSet);
  return generation !== undefined && labels?.[templateGenerationLabel] === generation;
}

/** Returns the number of nodes that may have a second, new pod. (SurgeCount) @throws Error for an invalid percentage */
export function surgeCount({ spec }: DaemonSet, nodes: number): number {
  const { type, rollingUpdate } = spec?.updateStrategy ?? {};
  return type === 'RollingUpdate' ? scaledIntOrPercent(rollingUpdate?.maxSurge, nodes, true) : 0;
}

/** (UnavailableCount) @throws Error for an invalid percentage */
export function unavailableCount({ spec }: DaemonSet, nodes: number): number {
  const { type, rollingUpdate } = spec?.updateStrategy ?? {};
  return type === 'RollingUpdate' ? scaledIntOrPercent(rollingUpdate?.maxUnavailable, nodes, true) : 0;
}

/** Returns the affinity with one node in place of the required node terms. (ReplaceDaemonSetPodNodeNameNodeAffinity) */
export function withNodeNameAffinity(affinity: Affinity | undefined, node: string): Affinity {
  const matchFields = [{ key: nameField, operator: 'In', values: [node] }];
  return {
    ...affinity,
    nodeAffinity: {
      ...affinity?.nodeAffinity,
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchFields }] },
    },
  };
}

const nameField = 'metadata.name';

/** Returns the current or intended node of a pod; undefined if there is none. (GetTargetNodeName) */
export function targetNodeName({ spec }: Pod): string | undefined {
  if (spec?.nodeName) return spec.nodeName;
  const required = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  for (const { matchFields = [] } of required?.nodeSelectorTerms ?? []) {
    const found = matchFields.find(({ key, operator }) => key === nameField && operator === 'In');
    if (found !== undefined) return found.values?.length === 1 ? found.values[0] : undefined;
  }
  return undefined;
}
