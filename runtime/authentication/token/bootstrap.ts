import { timingSafeEqual } from 'node:crypto';
import type { Secret } from '../../../generated/v1.35/core/v1/types.ts';
import type { Clock } from '../../machinery/clock.ts';
import { mapMaybeAsync } from '../../machinery/event-loop/map-maybe-async.ts';
import { parseTime } from '../../machinery/scalars/time.ts';
import type { UserInfo } from '../../machinery/user-info.ts';

const tokenFormat = /^([a-z0-9]{6})\.([a-z0-9]{16})$/;
const secretType = 'bootstrap.kubernetes.io/token';
const defaultGroup = 'system:bootstrappers';
const groupFormat = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;

/** Returns a Secret of kube-system by its name. */
export type BootstrapSecretGetter = (name: string) => Secret | undefined | Promise<Secret | undefined>;

/**
 * Authenticates the tokens with which nodes join a cluster: `id.secret`, described by a Secret of kube-system. If
 * anything is wrong with the Secret, the token is unknown. (plugin/pkg/auth/authenticator/token/bootstrap)
 */
export function bootstrapTokens(
  getSecret: BootstrapSecretGetter,
  clock: Pick<Clock, 'now'>,
): (token: string) => UserInfo | undefined | Promise<UserInfo | undefined> {
  return (token) => {
    const parts = tokenFormat.exec(token);
    if (parts === null) return undefined;
    const [, id = '', secretText = ''] = parts;
    return mapMaybeAsync(getSecret(`bootstrap-token-${id}`), (secret) => {
      return secret && isValid(secret, id, secretText, clock.now()) ? userOf(secret, id) : undefined;
    });
  };
}

const dataOf = ({ data }: Secret, key: string): string => Buffer.from(data?.[key] ?? '', 'base64').toString();

function isValid(secret: Secret, id: string, secretText: string, now: number): boolean {
  return (
    !secret.metadata?.deletionTimestamp &&
    secret.type === secretType &&
    isSame(dataOf(secret, 'token-secret'), secretText) &&
    dataOf(secret, 'token-id') === id &&
    !hasExpired(dataOf(secret, 'expiration'), now) &&
    dataOf(secret, 'usage-bootstrap-authentication') === 'true'
  );
}

function userOf(secret: Secret, id: string): UserInfo | undefined {
  const groups = groupsOf(dataOf(secret, 'auth-extra-groups'));
  return groups && { name: `system:bootstrap:${id}`, uid: '', groups, extra: {} };
}

function isSame(stored: string, given: string): boolean {
  const [a, b] = [Buffer.from(stored), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Reports whether a time is past. An unreadable time is past. (cluster-bootstrap util/secrets HasExpired) */
function hasExpired(expiration: string, now: number): boolean {
  if (expiration === '') return false;
  try {
    return now > parseTime(expiration).seconds * 1000;
  } catch {
    return true;
  }
}

/**
 * Returns the groups in order; undefined if one is not below system:bootstrappers. (cluster-bootstrap util/secrets
 * GetGroups)
 */
function groupsOf(extra: string): string[] | undefined {
  if (extra === '') return [defaultGroup];
  const groups = extra.split(',');
  if (!groups.every((group) => groupFormat.test(group))) return undefined;
  return [...new Set([defaultGroup, ...groups])].sort();
}
