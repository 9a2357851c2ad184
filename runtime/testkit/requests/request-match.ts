import type { RequestInfo } from '../../http/request-info.ts';
import type { RequestVerb } from './request-names.ts';

/**
 * Selects requests. A list has at least one item and matches any of them; an absent list matches anything. Names are
 * those of RBAC and audit policies. A `*` at the end matches any rest.
 */
export interface RequestMatch {
  readonly verbs?: readonly RequestVerb[] | undefined;
  /** "" is the core group. */
  readonly apiGroups?: readonly string[] | undefined;
  /**
   * Plurals of served resources, or of resources that may be served later if `apiGroups` names their group. `pods`
   * matches pods without their subresources, `pods/status` one subresource, `pods/*` all subresources. A `*` before the
   * slash matches any resource.
   */
  readonly resources?: readonly string[] | undefined;
  /** "" matches cluster-scoped resources and requests for all namespaces. */
  readonly namespaces?: readonly string[] | undefined;
  /** "" matches collections and creates. */
  readonly names?: readonly string[] | undefined;
  readonly users?: readonly string[] | undefined;
  readonly groups?: readonly string[] | undefined;
  /** `my-operator/*` */
  readonly userAgents?: readonly string[] | undefined;
  /** Paths that name no resource: `/readyz`. */
  readonly nonResourceURLs?: readonly string[];
}

/** The fields of a request that a match checks. */
export interface MatchedRequest {
  readonly info: Pick<RequestInfo, 'isResourceRequest' | 'path' | 'verb' | 'group' | 'resource' | 'subresource' | 'namespace' | 'name'>;
  readonly user: string;
  readonly groups: readonly string[];
  readonly userAgent: string;
}

export type RequestPredicate = (request: MatchedRequest) => boolean;

/** Compiles a match. A match with resources and URLs matches both; a match with only one of them excludes the other. */
export function requestPredicate(match: RequestMatch): RequestPredicate {
  const verb = anyOf(match.verbs);
  const group = anyOf(match.apiGroups);
  const namespace = anyOf(match.namespaces);
  const name = anyOf(match.names);
  const user = anyOf(match.users);
  const memberOf = anyOf(match.groups);
  const userAgent = anyOf(match.userAgents);
  const path = anyOf(match.nonResourceURLs);
  const isAboutResources = [match.apiGroups, match.resources, match.namespaces, match.names].some(Boolean);
  const isAboutOthers = match.nonResourceURLs !== undefined;
  const isNamed = (info: MatchedRequest['info']): boolean => {
    if (!info.isResourceRequest) return isAboutOthers ? path(info.path) : !isAboutResources;
    if (isAboutOthers && !isAboutResources) return false;
    return group(info.group) && namespace(info.namespace) && name(info.name) && isOneOf(match.resources, info);
  };
  return (request) =>
    verb(request.info.verb) &&
    user(request.user) &&
    (match.groups === undefined || request.groups.some(memberOf)) &&
    userAgent(request.userAgent) &&
    isNamed(request.info);
}

/** Returns a predicate: the text matches one of the patterns. Absent patterns match anything. */
export function anyOf(patterns: readonly string[] | undefined): (text: string) => boolean {
  if (patterns === undefined) return () => true;
  const exact = new Set(patterns.filter((pattern) => !pattern.endsWith('*')));
  const prefixes = patterns.filter((pattern) => pattern.endsWith('*')).map((pattern) => pattern.slice(0, -1));
  return (text) => exact.has(text) || prefixes.some((prefix) => text.startsWith(prefix));
}

function isOneOf(
  patterns: readonly string[] | undefined,
  { resource, subresource }: Pick<RequestInfo, 'resource' | 'subresource'>,
): boolean {
  if (patterns === undefined) return true;
  return patterns.some((pattern) => {
    if (pattern === '*') return true;
    const slash = pattern.indexOf('/');
    if (slash < 0) return pattern === resource && subresource === '';
    const [wanted, part] = [pattern.slice(0, slash), pattern.slice(slash + 1)];
    const isPart = part === '*' ? subresource !== '' : part === subresource;
    return isPart && (wanted === '*' || wanted === resource);
  });
}
