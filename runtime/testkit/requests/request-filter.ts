import type { LoggedRequest } from './logged-request.ts';
import { type RequestMatch, requestPredicate } from './request-match.ts';
import type { RequestVerb, StatusCode } from './request-names.ts';

type OneOrMore<T> = T | readonly T[];

/** Which requests are asked for. A list is any-of, what is absent is anything; a `*` at the end of a text is any rest. */
export interface RequestFilter {
  readonly user?: OneOrMore<string> | undefined;
  /** A group that the user is in. */
  readonly group?: OneOrMore<string> | undefined;
  /** For example `my-operator/*`. */
  readonly userAgent?: OneOrMore<string> | undefined;
  readonly verb?: OneOrMore<RequestVerb> | undefined;
  /** "" is the core group. */
  readonly apiGroup?: OneOrMore<string> | undefined;
  /** As RequestMatch.resources: `pods`, `pods/status`, `pods/*`. */
  readonly resource?: OneOrMore<string> | undefined;
  readonly namespace?: OneOrMore<string> | undefined;
  readonly name?: OneOrMore<string> | undefined;
  /** Paths that name no resource, as `/readyz`. */
  readonly nonResourceURL?: OneOrMore<string>;
  /** The status of the response. */
  readonly code?: OneOrMore<StatusCode>;
  readonly running?: boolean;
  /** Only requests after the one with this sequence. */
  readonly since?: number | undefined;
}

/** What a filter matches of requests, besides their responses. */
export const requestMatchOf = (filter: RequestFilter): RequestMatch => ({
  verbs: listOf(filter.verb),
  apiGroups: listOf(filter.apiGroup),
  resources: listOf(filter.resource),
  namespaces: listOf(filter.namespace),
  names: listOf(filter.name),
  users: listOf(filter.user),
  groups: listOf(filter.group),
  userAgents: listOf(filter.userAgent),
  nonResourceURLs: listOf(filter.nonResourceURL),
});

/** Compiles a filter. */
export function requestFilter(filter: RequestFilter): (request: LoggedRequest) => boolean {
  const matches = requestPredicate(requestMatchOf(filter));
  const codes = listOf(filter.code);
  const { running, since = 0 } = filter;
  return (request) =>
    request.sequence > since &&
    (running === undefined || running === request.running) &&
    (codes === undefined || (request.code !== undefined && codes.includes(request.code as StatusCode))) &&
    matches(request);
}

const listOf = <T>(values: OneOrMore<T> | undefined): readonly T[] | undefined =>
  values === undefined || Array.isArray(values) ? (values as readonly T[] | undefined) : [values as T];
