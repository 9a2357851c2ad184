import { isLongRunning } from '../../http/request-info.ts';
import { testGroupName } from '../../options/test-group-name.ts';
import type { LoggedRequest } from '../requests/logged-request.ts';
import type { RequestLog } from '../requests/request-log.ts';
import { anyOf } from '../requests/request-match.ts';

/**
 * Returns a text about the first unfinished activity of clients. Undefined if every watch has sent all of its events
 * and no client waits for a response.
 *
 * @param controllers names of users or user agents; a `*` at the end matches any rest. Default: all clients
 */
export function underWay(log: RequestLog, controllers: readonly string[] | undefined): string | undefined {
  const silent = controllers?.find((controller) => !log.requests().some(isFrom([controller])));
  if (silent !== undefined) return `${silent} has not asked for anything yet`;
  const isMeant = controllers === undefined ? () => true : isFrom(controllers);
  for (const request of log.running()) {
    // requests for the test group, such as a check for settling, do not count
    const activity = request.info.group === testGroupName || !isMeant(request) ? undefined : activityOf(request);
    if (activity !== undefined) return activity;
  }
  return undefined;
}

function isFrom(controllers: readonly string[]): (request: LoggedRequest) => boolean {
  const isNamed = anyOf(controllers);
  return ({ user, userAgent }) => isNamed(user) || isNamed(userAgent);
}

function activityOf(request: LoggedRequest): string | undefined {
  const { info, user, userAgent, watch } = request;
  const who = userAgent === '' ? user : `${user} (${userAgent})`;
  if (info.verb === 'watch') {
    if (watch?.isBehind === false) return undefined;
    return `the watch of ${info.resource} by ${who} has events that are not delivered`;
  }
  return isLongRunning(info) ? undefined : `a ${info.verb} of ${info.resource || info.path} by ${who} is under way`;
}
