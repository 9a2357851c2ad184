import { defined } from '../../machinery/json/defined.ts';
import type { LoggedRequest } from './logged-request.ts';
import { type RequestMatch, requestPredicate } from './request-match.ts';
import type { RequestVerb, StatusCode } from './request-names.ts';

type OneOrMore<T> = T | readonly T[];

/**
 * Selects requests. A list matches any of its items, an absent member matches anything, and a `*` at the end of a text
 * matches any rest.
 */
export interface RequestFilter {
  readonly user?: OneOrMore<string> | undefined;
  /** A group of the user. */
  readonly group?: OneOrMore<string> | undefined;
  /** `my-operator/*` */
  readonly userAgent?: OneOrMore<string> | undefined;
  readonly verb?: OneOrMore<RequestVerb> | undefined;
  /** "" is the core group. */
  readonly apiGroup?: OneOrMore<string> | undefined;
  /** The notation of RequestMatch.resources: `pods`, `pods/status`, `pods/*`. */
  readonly resource?: OneOrMore<string> | undefined;
  readonly namespace?: OneOrMore<string> | undefined;
  readonly name?: OneOrMore<string> | undefined;
  /** Paths that name no resource: `/readyz`. */
  readonly nonResourceURL?: OneOrMore<string> | undefined;
  /** The status of the response. */
  readonly code?: OneOrMore<StatusCode> | undefined;
  readonly running?: boolean | undefined;
  /** Only requests after this sequence. */
  readonly since?: number | undefined;
}

/** Returns the part of a filter that matches requests, without their responses. */
export const requestMatchOf = (filter: RequestFilter): RequestMatch =>
  defined({
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
