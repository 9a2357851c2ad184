import { defaultRelease, minorOf } from '../release.ts';

/** The minor of Kubernetes that made a change, as 1.35. */
type Since = `1.${number}`;

/**
 * Changes to rules and their messages that no feature gate guards, with the minor of Kubernetes that made each. A minor
 * before it has the former rule. Validators ask `field.follows`, as they ask a feature gate.
 */
export const ruleChanges = {
  /** A list, set or map of resource.k8s.io with too many items has no errors about its items. */
  LongListIsNotRead: '1.35',
  /** A duplicate in a set of resource.k8s.io is named by its index, not by the member that is its key. */
  DuplicateIsNamedByIndex: '1.35',
  /** The ID of a device is shown with its strings, which were empty objects before. */
  DeviceIDIsShown: '1.35',
  /** An empty name of a driver is only missing. Before, it was no subdomain either. */
  EmptyDriverIsOnlyMissing: '1.35',
  /** An empty part of a qualified name is invalid, not missing, and a name without a domain has other words. */
  EmptyQualifiedPartIsInvalid: '1.35',
  /** A taint of a device may have the effect None, and its effect is only checked if it changes. */
  DeviceTaintMayHaveNoEffect: '1.35',
  /** A device attribute without a value is invalid, not missing. */
  AttributeWithoutValueIsInvalid: '1.35',
  /** A request with both alternatives and one choice has no errors about either. */
  AmbiguousRequestIsNotRead: '1.35',
  /** The spec of a claim, which cannot change, is not validated by an update. */
  ImmutableClaimIsNotReadAgain: '1.35',
  /** The traffic distribution PreferClose has a warning. */
  PreferCloseIsDeprecated: '1.35',
  /** A toleration with Lt or Gt is refused with all four operators, because they depend on a gate. */
  TolerationsMayCompare: '1.35',
  /** Rules about restarts of an init container need its restart policy. */
  InitRestartRulesNeedPolicy: '1.35',
  /** Errors of a RuntimeClass's tolerations have the path of the tolerations, not `tolerations.tolerations`. */
  TolerationsAreNamedOnce: '1.35',
  /** A stored name of the default backend, not only one in rules, allows such names in an update. */
  DefaultBackendKeepsItsName: '1.35',
  /** The spec of a pod has a reference to a workload, which errors show. */
  PodsReferToWorkloads: '1.35',
  /** A missing provisioner is found by the marker of its field. */
  RequiredIsDeclared: '1.35',
  /** A rule in CEL that refuses a default shows the default. Before, it showed the type. */
  RefusedDefaultIsShown: '1.35',
  /** A write of a custom resource's status cannot own its metadata. */
  CustomStatusResetsMetadata: '1.36',
} as const satisfies Readonly<Record<string, Since>>;

/** A change of the words of an error, with the minor that made it. Both rules refuse the same values. */
interface WordingChange {
  readonly since: Since;
  readonly now: RegExp;
  /** The words of minors before it, in place of what `now` matches. */
  readonly before: string;
}

const wordingChanges: readonly WordingChange[] = [
  { since: '1.35', now: /(must be no more than \d+) bytes(?=;|$)/g, before: '$1 characters' },
  {
    since: '1.35',
    now: /^resize of pods with pod-level resources is forbidden when InPlacePodLevelResourcesVerticalScalingEnabled feature gate is disabled$/,
    before: 'pods with pod-level resources cannot be resized',
  },
  { since: '1.35', now: /^a valid label key must consist/, before: 'a qualified name must consist' },
];

export type RuleChange = keyof typeof ruleChanges;

/** The rules of a minor, as far as they differ from those of others. */
export interface ReleaseRules {
  /** Reports which changes the rules have. */
  readonly changes: Readonly<Record<RuleChange, boolean>>;
  /** Changes of words that the minor does not have yet. */
  readonly formerWordings: readonly WordingChange[];
}

const isIn = (since: Since, minor: number): boolean => minorOf(`v${since}`) <= minor;

const found = new Map<number, ReleaseRules>();

/** Returns the rules of a minor, as 35. */
export function releaseRules(minor: number): ReleaseRules {
  const known = found.get(minor);
  if (known !== undefined) return known;
  const entries = Object.entries(ruleChanges).map(([name, since]) => [name, isIn(since, minor)]);
  const rules = {
    changes: Object.fromEntries(entries) as Record<RuleChange, boolean>,
    formerWordings: wordingChanges.filter(({ since }) => !isIn(since, minor)),
  };
  found.set(minor, rules);
  return rules;
}

/** Returns the detail of an error in the words of a minor. */
export const inFormerWords = (detail: string, { formerWordings }: ReleaseRules): string =>
  formerWordings.reduce((text, { now, before }) => text.replace(now, before), detail);

/** The rules of the release that all strategies follow. */
export const defaultRules = releaseRules(minorOf(defaultRelease));
