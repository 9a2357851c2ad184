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
export const storage = 'storage.k8s.io';

/** Rules by the name of a role. A role without rules in a release does not exist there. */
export type RoleTable = Readonly<Record<string, readonly (PolicyRule | ReleasedRule)[]>>;

/** A rule with the minors that have it. */
export interface ReleasedRule {
  readonly rule: PolicyRule;
  readonly first: number;
  readonly last: number;
}

export const since = (first: number, rule: PolicyRule): ReleasedRule => ({
  rule,
  first,
  last: Number.POSITIVE_INFINITY,
});
export const until = (last: number, rule: PolicyRule): ReleasedRule => ({ rule, first: 0, last });

/** Returns the roles of a release, with its rules. */
export function rolesOf(table: RoleTable, minor: number): readonly (readonly [name: string, rules: PolicyRule[]])[] {
  return Object.entries(table).flatMap(([name, all]) => {
    const rules = rulesOf(all, minor);
    return rules.length === 0 ? [] : [[name, rules] as const];
  });
}

export function rulesOf(all: RoleTable[string], minor: number): PolicyRule[] {
  return all.flatMap((each) => {
    if (!('rule' in each)) return [each];
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
