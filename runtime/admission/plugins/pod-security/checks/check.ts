import type { Container } from '../../../../../generated/v1.35/core/v1/types.ts';
import { compareStrings } from '../../../../machinery/go/compare-strings.ts';
import type { ObjectMeta } from '../../../../machinery/object.ts';
import type { Unvalidated } from '../../../../machinery/unvalidated.ts';
import type { PodSpec } from '../../../resources.ts';
import type { Minor } from '../policy.ts';

/** A pod or a pod template. */
export interface CheckedPod {
  readonly metadata: ObjectMeta;
  readonly spec: PodSpec;
}

/** The reason why a pod is not allowed. */
export interface Forbidden {
  /** A short reason: `host namespaces`. */
  readonly reason: string;
  /** The violation in this pod: `hostNetwork=true`. */
  readonly detail: string;
}

/** Returns undefined for an allowed pod. */
export type CheckPod = (pod: CheckedPod) => Forbidden | undefined;

export interface VersionedCheck {
  /** The first policy version with this rule. */
  readonly minimumVersion: Minor;
  readonly checkPod: CheckPod;
  /** The baseline checks that this restricted check includes. */
  readonly overrides?: readonly string[];
}

/** One rule of a level. Baseline rules also apply at restricted. (policy.Check) */
export interface Check {
  readonly id: string;
  readonly level: 'baseline' | 'restricted';
  /** The versions of the rule, oldest first. */
  readonly versions: readonly VersionedCheck[];
}

export type AnyContainer = Unvalidated<Container>;

/** Returns all containers, in the order in which errors name them. (visitContainers) */
export function containersOf({ spec }: CheckedPod): AnyContainer[] {
  const { initContainers = [], containers, ephemeralContainers = [] } = spec;
  return [...initContainers, ...(containers ?? []), ...ephemeralContainers];
}

export const nameOf = ({ name = '' }: { readonly name?: string }): string => name;

export const joinQuote = (items: readonly string[]): string => (items.length === 0 ? '' : `"${items.join('", "')}"`);

export const pluralize = (singular: string, plural: string, count: number): string => (count === 1 ? singular : plural);

/** Returns `container "a"` or `containers "a", "b"`. */
export const containersText = (names: readonly string[]): string =>
  `${pluralize('container', 'containers', names.length)} ${joinQuote(names)}`;

/** Returns the distinct texts in Go's sort order. */
export const sorted = (texts: Iterable<string>): string[] => [...new Set(texts)].sort(compareStrings);

/** Names the setters of a forbidden field: the pod, containers, or both. "" for none. */
export function settersText(pod: boolean, containers: readonly string[]): string {
  const setters = pod ? ['pod'] : [];
  if (containers.length > 0) setters.push(containersText(containers));
  return setters.join(' and ');
}

/**
 * Exempts Windows pods: validation refuses the forbidden settings there, so the pods need not set the required ones.
 */
export const unlessWindows =
  (checkPod: CheckPod): CheckPod =>
  (pod) =>
    pod.spec.os?.name === 'windows' ? undefined : checkPod(pod);

/** Exempts pods in a user namespace, where root is not root on the node. (relaxPolicyForUserNamespacePod) */
export const unlessInUserNamespace =
  (checkPod: CheckPod): CheckPod =>
  (pod) =>
    pod.spec.hostUsers === false ? undefined : checkPod(pod);
