import { mapMaybeAsync } from '../../machinery/event-loop/map-maybe-async.ts';
import { quote } from '../../machinery/go/quote.ts';
import { AuthenticationError } from '../authenticator.ts';
import { parseClaims, serviceAccountUser, type TokenClaims } from './claims.ts';
import { leeway, type Validator } from './validator.ts';

/** The properties of an object that decide whether tokens bound to it are valid. */
export interface TokenObject {
  readonly uid: string;
  /** The deletion timestamp in milliseconds since the epoch, for objects being deleted. */
  readonly deletedAt?: number | undefined;
  /** The Secrets that a service account refers to. */
  readonly secrets?: readonly string[] | undefined;
}

type Lookup = TokenObject | undefined;

/**
 * Returns the current object of the core group. The namespace of nodes is "".
 * (serviceaccount.ServiceAccountTokenGetter)
 */
export type ServiceAccountTokenGetter = (
  resource: 'nodes' | 'pods' | 'secrets' | 'serviceaccounts',
  namespace: string,
  name: string,
) => Lookup | Promise<Lookup>;

/**
 * Validates tokens of the TokenRequest API: their times, and the existence of the service account and of the bound pod,
 * secret or node. (pkg/serviceaccount/claims.go)
 */
export function claimsValidator(get: ServiceAccountTokenGetter): Validator<TokenClaims> {
  return {
    parse: parseClaims,
    userOf: serviceAccountUser,
    validate(claims, now) {
      checkTimes(claims, now);
      return validateBoundObjects(claims, get, now - leeway);
    },
  };
}

function checkTimes({ exp, iat, nbf }: TokenClaims, now: number): void {
  if (now - leeway > exp * 1000) throw new AuthenticationError('service account token has expired');
  if (now + leeway < nbf * 1000 || now + leeway < iat * 1000) {
    throw new AuthenticationError('service account token claims could not be validated');
  }
}

/** @param deletedBefore milliseconds since the epoch: an object with an earlier deletion timestamp counts as deleted */
function validateBoundObjects(
  { 'kubernetes.io': { namespace, serviceaccount, secret, pod, node } }: TokenClaims,
  get: ServiceAccountTokenGetter,
  deletedBefore: number,
): void | Promise<void> {
  const isDeleted = ({ deletedAt }: TokenObject): boolean => deletedAt !== undefined && deletedAt < deletedBefore;
  const check = (kind: string, { uid = '' }: { readonly uid?: string }, object: Lookup): void => {
    if (object === undefined || isDeleted(object)) {
      throw new AuthenticationError('service account token has been invalidated');
    }
    if (object.uid === uid) return;
    throw new AuthenticationError(`${kind} UID (${object.uid}) does not match service account ${kind} ref claim (${uid})`);
  };
  return mapMaybeAsync(get('serviceaccounts', namespace, serviceaccount.name), (account) => {
    if (account === undefined) throw new AuthenticationError(`serviceaccounts ${quote(serviceaccount.name)} not found`);
    if (isDeleted(account)) {
      throw new AuthenticationError(`service account ${namespace}/${serviceaccount.name} has been deleted`);
    }
    if (account.uid !== serviceaccount.uid) {
      throw new AuthenticationError(`service account UID (${account.uid}) does not match claim (${serviceaccount.uid})`);
    }
    if (secret) return mapMaybeAsync(get('secrets', namespace, secret.name), (found) => check('secret', secret, found));
    if (pod) return mapMaybeAsync(get('pods', namespace, pod.name), (found) => check('pod', pod, found));
    // the node of a pod is informational
    if (node) return mapMaybeAsync(get('nodes', '', node.name), (found) => check('node', node, found));
  });
}
