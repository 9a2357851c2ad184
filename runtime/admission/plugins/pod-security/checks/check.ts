import type { Container } from '../../../../../generated/v1.35/core/v1/types.ts';
import { compareStrings } from '../../../../machinery/go/compare-strings.ts';
import type { ObjectMeta } from '../../../../machinery/object.ts';
import type { Unvalidated } from '../../../../machinery/unvalidated.ts';
import type { PodSpec } from '../../../resources.ts';
import type { Minor } from '../policy.ts';

/** A pod, or the template of pods. */
export interface CheckedPod {
  readonly metadata: ObjectMeta;
  readonly spec: PodSpec;
}

/** Why a pod is not allowed. */
export interface Forbidden {
  /** Short, as `host namespaces`. */
  readonly reason: string;
  /** What is wrong in this pod, as `hostNetwork=true`. */
  readonly detail: string;
}

/** Returns undefined for a pod that is allowed. */
export type CheckPod = (pod: CheckedPod) => Forbidden | undefined;

export interface VersionedCheck {
  /** The first version of the policy that has it. */
  readonly minimumVersion: Minor;
  readonly checkPod: CheckPod;
  /** Baseline checks that this one, of restricted, includes. */
  readonly overrides?: readonly string[];
}

/** One rule of a level. Baseline ones are rules of restricted, too. (policy.Check) */
export interface Check {
  readonly id: string;
  readonly level: 'baseline' | 'restricted';
  /** Oldest first. */
  readonly versions: readonly VersionedCheck[];
}

export type AnyContainer = Unvalidated<Container>;

/** All containers, in the order in which errors name them. (visitContainers) */
export function containersOf({ spec }: CheckedPod): AnyContainer[] {
  const { initContainers = [], containers, ephemeralContainers = [] } = spec;
  return [...initContainers, ...(containers ?? []), ...ephemeralContainers];
}

export const nameOf = ({ name = '' }: { readonly name?: string }): string => name;

export const joinQuote = (items: readonly string[]): string => (items.length === 0 ? '' : `"${items.join('", "')}"`);

export const pluralize = (singular: string, plural: string, count: number): string => (count === 1 ? singular : plural);

/** `container "a"` or `containers "a", "b"`. */
export const containersText = (names: readonly string[]): string =>
  `${pluralize('container', 'containers', names.length)} ${joinQuote(names)}`;

/** The different texts, sorted as Go sorts. */
export const sorted = (texts: Iterable<string>): string[] => [...new Set(texts)].sort(compareStrings);

/** Who sets what must not be set: the pod, containers, or both. "" for nobody. */
export function settersText(pod: boolean, containers: readonly string[]): string {
  const setters = pod ? ['pod'] : [];
  if (containers.length > 0) setters.push(containersText(containers));
  return setters.join(' and ');
}

/** Validation refuses what a Windows pod must not set, so it need not set the opposite. */
export const unlessWindows =
  (checkPod: CheckPod): CheckPod =>
  (pod) =>
    pod.spec.os?.name === 'windows' ? undefined : checkPod(pod);

/** Root in a user namespace is not root on the node. (relaxPolicyForUserNamespacePod) */
export const unlessInUserNamespace =
  (checkPod: CheckPod): CheckPod =>
  (pod) =>
    pod.spec.hostUsers === false ? undefined : checkPod(pod);
