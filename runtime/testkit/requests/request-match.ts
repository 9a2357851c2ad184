import type { RequestInfo } from '../../http/request-info.ts';
import type { RequestVerb } from './request-names.ts';

/**
 * Which requests are meant. Every list is any-of and has an item, an absent list is anything. Names are those of RBAC and audit policies; a
 * `*` at the end is any rest.
 */
export interface RequestMatch {
  readonly verbs?: readonly RequestVerb[] | undefined;
  /** "" is the core group. */
  readonly apiGroups?: readonly string[] | undefined;
  /**
   * Plurals that are served, or may be served later if `apiGroups` names their group. `pods` is pods without their subresources, `pods/status` one of these, `pods/*` all of these, a `*` before the slash is
   * any resource.
   */
  readonly resources?: readonly string[] | undefined;
  /** "" is what has no namespace, and what is asked of all namespaces. */
  readonly namespaces?: readonly string[] | undefined;
  /** "" is collections, and creates. */
  readonly names?: readonly string[] | undefined;
  readonly users?: readonly string[] | undefined;
  readonly groups?: readonly string[] | undefined;
  /** For example `my-operator/*`. */
  readonly userAgents?: readonly string[] | undefined;
  /** Paths that name no resource, as `/readyz`. */
  readonly nonResourceURLs?: readonly string[];
}

/** What of a request can match. */
export interface MatchedRequest {
  readonly info: Pick<RequestInfo, 'isResourceRequest' | 'path' | 'verb' | 'group' | 'resource' | 'subresource' | 'namespace' | 'name'>;
  readonly user: string;
  readonly groups: readonly string[];
  readonly userAgent: string;
}

export type RequestPredicate = (request: MatchedRequest) => boolean;

/** Compiles a match. One that names resources and URLs matches both; one that names either matches nothing of the other. */
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

/** Whether a text is one of the patterns. Absent patterns are anything. */
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
