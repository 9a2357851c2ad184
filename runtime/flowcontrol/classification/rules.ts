import { serviceAccountPrefix, serviceAccountUserName, type UserInfo } from '../../machinery/user-info.ts';
import type { NonResourceRuleSpec, ResourceRuleSpec, RuleSpec, SubjectSpec } from '../objects.ts';
import type { RequestDigest } from '../request-digest.ts';

type MatchUser = (user: UserInfo) => boolean;
export type MatchRequest = (request: RequestDigest) => boolean;

interface CompiledRule {
  readonly user: MatchUser;
  readonly request: MatchRequest;
}

/**
 * Rules of a FlowSchema made into functions, once: requests are asked of every schema in turn.
 * (apiserver pkg/util/flowcontrol/rule.go)
 */
export class CompiledRules {
  readonly #resource: readonly CompiledRule[];
  readonly #nonResource: readonly CompiledRule[];

  constructor(rules: readonly RuleSpec[]) {
    const compiled = rules.map(({ subjects, resourceRules, nonResourceRules }) => ({
      user: matchSubjects(subjects ?? []),
      resource: (resourceRules ?? []).map(matchResourceRule),
      nonResource: (nonResourceRules ?? []).map(matchNonResourceRule),
    }));
    // a rule that says nothing of a kind of requests is not asked about it
    this.#resource = compiled.flatMap(({ user, resource }) =>
      resource.length ? [{ user, request: any(resource) }] : [],
    );
    this.#nonResource = compiled.flatMap(({ user, nonResource }) =>
      nonResource.length ? [{ user, request: any(nonResource) }] : [],
    );
  }

  /** What decides over a user's requests, those for resources or the others; undefined where none of them match. */
  of(user: UserInfo, isResourceRequest: boolean): MatchRequest | undefined {
    const rules = isResourceRequest ? this.#resource : this.#nonResource;
    const own = rules.filter((rule) => rule.user(user)).map(({ request }) => request);
    return own.length === 0 ? undefined : any(own);
  }
}

function any(matchers: readonly MatchRequest[]): MatchRequest {
  if (matchers.length === 1) return matchers[0];
  return (request) => {
    for (const matches of matchers) if (matches(request)) return true;
    return false;
  };
}

function matchSubjects(subjects: readonly SubjectSpec[]): MatchUser {
  const users = new Set<string>();
  const groups = new Set<string>();
  const namespacePrefixes: string[] = [];
  for (const { kind, user, group, serviceAccount } of subjects) {
    if (kind === 'User' && user) users.add(user.name);
    if (kind === 'Group' && group) groups.add(group.name);
    if (kind !== 'ServiceAccount' || !serviceAccount) continue;
    const { namespace, name } = serviceAccount;
    if (name === '*') namespacePrefixes.push(`${serviceAccountPrefix}${namespace}:`);
    else users.add(serviceAccountUserName(namespace, name));
  }
  if (users.has('*') || groups.has('*')) return () => true;
  return ({ name, groups: own }) => {
    for (const group of own) if (groups.has(group)) return true;
    if (users.has(name)) return true;
    for (const prefix of namespacePrefixes) if (name.startsWith(prefix)) return true;
    return false;
  };
}

type MatchText = (text: string) => boolean;

/** `*` stands for everything when it stands alone, and for itself otherwise. */
function matchList(given: readonly string[] | null | undefined): MatchText {
  const list = given ?? [];
  if (list.length === 1) return list[0] === '*' ? () => true : (text) => text === list[0];
  return (text) => list.includes(text);
}

function matchResourceRule(rule: ResourceRuleSpec): MatchRequest {
  const verbs = matchList(rule.verbs);
  const resources = matchList(rule.resources);
  const groups = matchList(rule.apiGroups);
  const namespaces = matchList(rule.namespaces);
  const clusterScope = rule.clusterScope ?? false;
  return ({ verb, resource, subresource, group, namespace }) =>
    verbs(verb) &&
    resources(subresource === '' ? resource : `${resource}/${subresource}`) &&
    groups(group) &&
    (namespace === '' ? clusterScope : namespaces(namespace));
}

function matchNonResourceRule({ verbs, nonResourceURLs }: NonResourceRuleSpec): MatchRequest {
  const verb = matchList(verbs);
  const paths = (nonResourceURLs ?? []).map(matchPath);
  return (request) => {
    if (!verb(request.verb)) return false;
    for (const matches of paths) if (matches(request.path)) return true;
    return false;
  };
}

/** A path stands for itself and all below it; a star at the end changes nothing. */
function matchPath(pattern: string): MatchText {
  if (pattern === '*') return () => true;
  const trimmed = pattern.endsWith('*') ? pattern.slice(0, -1) : pattern;
  const prefix = trimmed.endsWith('/') ? trimmed : `${trimmed}/`;
  return (path) => path === pattern || path.startsWith(prefix);
}
