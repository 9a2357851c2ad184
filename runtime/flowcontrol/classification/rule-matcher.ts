import { serviceAccountPrefix, serviceAccountUserName, type UserInfo } from '../../machinery/user-info.ts';
import type { NonResourcePolicyRule, PolicyRulesWithSubjects, ResourcePolicyRule, Subject } from '../objects.ts';
import type { RequestInfo } from '../request-info.ts';

type MatchUser = (user: UserInfo) => boolean;
export type MatchRequest = (request: RequestInfo) => boolean;

interface CompiledRule {
  readonly user: MatchUser;
  readonly request: MatchRequest;
}

/**
 * The rules of a FlowSchema, compiled to functions, because every request is matched against many schemas. (apiserver
 * pkg/util/flowcontrol/rule.go)
 */
export class RuleMatcher {
  readonly #resource: readonly CompiledRule[];
  readonly #nonResource: readonly CompiledRule[];

  constructor(rules: readonly PolicyRulesWithSubjects[]) {
    const compiled = rules.map(({ subjects, resourceRules, nonResourceRules }) => ({
      user: matchSubjects(subjects ?? []),
      resource: (resourceRules ?? []).map(matchResourceRule),
      nonResource: (nonResourceRules ?? []).map(matchNonResourceRule),
    }));
    // rules without resource rules match no resource request, and likewise for the others
    this.#resource = compiled.flatMap(({ user, resource }) => (resource.length ? [{ user, request: matchAny(resource) }] : []));
    this.#nonResource = compiled.flatMap(({ user, nonResource }) => (nonResource.length ? [{ user, request: matchAny(nonResource) }] : []));
  }

  /**
   * Returns a function that matches the user's resource or non-resource requests; undefined if no rule names the user.
   */
  forUser(user: UserInfo, isResourceRequest: boolean): MatchRequest | undefined {
    const rules = isResourceRequest ? this.#resource : this.#nonResource;
    const matchers = rules.filter((rule) => rule.user(user)).map(({ request }) => request);
    return matchers.length === 0 ? undefined : matchAny(matchers);
  }
}

function matchAny(matchers: readonly MatchRequest[]): MatchRequest {
  const [only, ...more] = matchers;
  if (only && more.length === 0) return only;
  return (request) => {
    for (const matches of matchers) if (matches(request)) return true;
    return false;
  };
}

function matchSubjects(subjects: readonly Subject[]): MatchUser {
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
  return ({ name, groups: userGroups }) => {
    for (const group of userGroups) if (groups.has(group)) return true;
    if (users.has(name)) return true;
    for (const prefix of namespacePrefixes) if (name.startsWith(prefix)) return true;
    return false;
  };
}

type MatchString = (text: string) => boolean;

/** `*` matches everything if it is the only item. */
function matchList(given: readonly string[] | null | undefined): MatchString {
  const list = given ?? [];
  if (list.length === 1) return list[0] === '*' ? () => true : (text) => text === list[0];
  return (text) => list.includes(text);
}

function matchResourceRule(rule: ResourcePolicyRule): MatchRequest {
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

function matchNonResourceRule({ verbs, nonResourceURLs }: NonResourcePolicyRule): MatchRequest {
  const verb = matchList(verbs);
  const paths = (nonResourceURLs ?? []).map(matchPath);
  return (request) => {
    if (!verb(request.verb)) return false;
    for (const matches of paths) if (matches(request.path)) return true;
    return false;
  };
}

/** A path matches itself and all paths below it, with or without a trailing `*`. */
function matchPath(pattern: string): MatchString {
  if (pattern === '*') return () => true;
  const trimmed = pattern.endsWith('*') ? pattern.slice(0, -1) : pattern;
  const prefix = trimmed.endsWith('/') ? trimmed : `${trimmed}/`;
  return (path) => path === pattern || path.startsWith(prefix);
}
