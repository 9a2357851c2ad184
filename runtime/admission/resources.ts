import type * as core from '../../generated/v1.35/core/v1/types.ts';
import type { Attributes, Operation } from '../machinery/admission.ts';
import type { GroupResource } from '../machinery/gvk.ts';
import type { ObjectMeta } from '../machinery/object.ts';
import type { Unvalidated } from '../machinery/unvalidated.ts';
import type { Plugin } from './plugin.ts';

/** What plugins that concern one kind ask about a write, and how they see its objects. */

/** A pod as admission sees it. `metadata` is there, as in every object. */
export type Pod = Unvalidated<core.Pod> & { metadata: ObjectMeta };
export type PodSpec = Unvalidated<core.PodSpec>;

/** Whether a resource is one of the core group, as `pods`. */
export const isCore = ({ group, resource }: GroupResource, wanted: string): boolean => group === '' && resource === wanted;

/** As Plugin.handles: such operations on a resource of the core group itself, and not on its subresources. */
export const onCore =
  (wanted: string, ...operations: readonly Operation[]): Plugin['handles'] =>
  (operation, definition, subresource) =>
    subresource === '' && operations.includes(operation) && isCore(definition, wanted);

/** The pod that is written. Only for writes of pods, and of subresources whose type is Pod. */
export const podOf = ({ object }: Attributes): Pod => object as Pod;

/** The spec of the pod that is written, which plugins change. A pod without one gets it. */
export function podSpecOf(attributes: Attributes): PodSpec {
  const pod = podOf(attributes);
  pod.spec ??= {};
  return pod.spec;
}

/** The annotation of pods that stand for static pods of a kubelet. (core.MirrorPodAnnotationKey) */
export const mirrorPodAnnotation = 'kubernetes.io/config.mirror';

export const isMirrorPod = ({ metadata }: Pod): boolean => metadata.annotations?.[mirrorPodAnnotation] !== undefined;
