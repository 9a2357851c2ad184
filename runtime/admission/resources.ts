import type * as core from '../../generated/v1.35/core/v1/types.ts';
import type { Attributes, Operation } from '../machinery/admission.ts';
import type { GroupResource } from '../machinery/gvk.ts';
import type { ObjectMeta } from '../machinery/object.ts';
import type { Unvalidated } from '../machinery/unvalidated.ts';
import type { Plugin } from './plugin.ts';

/** Helpers for plugins that concern one kind: checks of a write, and types of its objects. */

/** A pod in admission. Like every object there, it has `metadata`. */
export type Pod = Unvalidated<core.Pod> & { metadata: ObjectMeta };
export type PodSpec = Unvalidated<core.PodSpec>;

/** Reports whether a resource is the given one of the core group, such as `pods`. */
export const isCore = ({ group, resource }: GroupResource, wanted: string): boolean => group === '' && resource === wanted;

/** Returns a Plugin.handles for operations on a resource of the core group, without its subresources. */
export const onCore =
  (wanted: string, ...operations: readonly Operation[]): Plugin['handles'] =>
  (operation, definition, subresource) =>
    subresource === '' && operations.includes(operation) && isCore(definition, wanted);

/** Returns the written pod. Only for writes of pods, and of subresources whose type is Pod. */
export const podOf = ({ object }: Attributes): Pod => object as Pod;

/** Returns the spec of the written pod for changes. Adds one to a pod without a spec. */
export function podSpecOf(attributes: Attributes): PodSpec {
  const pod = podOf(attributes);
  pod.spec ??= {};
  return pod.spec;
}

/** The annotation of pods that represent a kubelet's static pods. (core.MirrorPodAnnotationKey) */
export const mirrorPodAnnotation = 'kubernetes.io/config.mirror';

export const isMirrorPod = ({ metadata }: Pod): boolean => metadata.annotations?.[mirrorPodAnnotation] !== undefined;
