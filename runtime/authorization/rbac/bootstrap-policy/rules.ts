import { type FeatureGates, parseFeatureGates } from '../../../machinery/feature-gates/feature-gates.ts';
import type { FeatureName } from '../../../machinery/feature-gates/known-gates.ts';
import type { PolicyRule } from '../objects.ts';

/**
 * The vocabulary of the tables beside this file. Lists are texts with spaces between their items, in alphabetical
 * order.
 */

export const read = 'get list watch';
export const readUpdate = 'get list patch update watch';
export const write = 'create delete deletecollection patch update';
export const readWrite = 'create delete deletecollection get list patch update watch';

export const core = '';
export const all = '*';
export const admissionRegistration = 'admissionregistration.k8s.io';
export const apps = 'apps';
export const authentication = 'authentication.k8s.io';
export const authorization = 'authorization.k8s.io';
export const autoscaling = 'autoscaling';
export const batch = 'batch';
export const certificates = 'certificates.k8s.io';
export const coordination = 'coordination.k8s.io';
export const discovery = 'discovery.k8s.io';
export const events = 'events.k8s.io';
export const extensions = 'extensions';
export const networking = 'networking.k8s.io';
export const policy = 'policy';
export const rbac = 'rbac.authorization.k8s.io';
export const resource = 'resource.k8s.io';
export const scheduling = 'scheduling.k8s.io';
export const storage = 'storage.k8s.io';
export const storageMigration = 'storagemigration.k8s.io';

/** Rules by the name of a role. A role without rules in a release and with its gates does not exist there. */
export type RoleTable = Readonly<Record<string, readonly (PolicyRule | ReleasedRule | GatedRule)[]>>;

/** A rule with the minors that have it. */
export interface ReleasedRule {
  readonly rule: PolicyRule;
  readonly first: number;
  readonly last: number;
}

/** A rule of servers with a feature gate. */
export interface GatedRule {
  readonly rule: PolicyRule;
  readonly gate: FeatureName;
}

export const whenEnabled = (gate: FeatureName, rule: PolicyRule): GatedRule => ({ rule, gate });

export const since = (first: number, rule: PolicyRule): ReleasedRule => ({
  rule,
  first,
  last: Number.POSITIVE_INFINITY,
});
export const until = (last: number, rule: PolicyRule): ReleasedRule => ({ rule, first: 0, last });

/** A release and its feature gates. */
export interface Release {
  readonly minor: number;
  readonly gates: FeatureGates;
}

/** @param gates default: those of the release */
export const releaseOf = (minor: number, gates: FeatureGates = parseFeatureGates([], minor)): Release => ({ minor, gates });

/** Returns the roles of a release, with its rules. */
export function rolesOf(table: RoleTable, release: Release): readonly (readonly [name: string, rules: PolicyRule[]])[] {
  return Object.entries(table).flatMap(([name, all]) => {
    const rules = rulesOf(all, release);
    return rules.length === 0 ? [] : [[name, rules] as const];
  });
}

export function rulesOf(all: RoleTable[string], { minor, gates }: Release): PolicyRule[] {
  return all.flatMap((each) => {
    if (!('rule' in each)) return [each];
    if ('gate' in each) return gates[each.gate] ? [each.rule] : [];
    return each.first <= minor && minor <= each.last ? [each.rule] : [];
  });
}

/** @param names the names of objects; absent for all */
export function rule(verbs: string, groups: string | readonly string[], resources: string, names?: string): PolicyRule {
  return {
    verbs: verbs.split(' '),
    apiGroups: typeof groups === 'string' ? [groups] : [...groups],
    resources: resources.split(' '),
    ...(names === undefined ? {} : { resourceNames: names.split(' ') }),
  };
}

export function urls(verbs: string, nonResourceURLs: string): PolicyRule {
  return { verbs: verbs.split(' '), nonResourceURLs: nonResourceURLs.split(' ') };
}

/** (eventsRule) */
export const recordEvents = rule('create patch update', [core, events], 'events');
