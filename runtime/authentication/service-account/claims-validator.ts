import { AuthenticationError } from '../authenticator.ts';
import type { TokenClaims } from './claims.ts';

/** What decides whether tokens that refer to the object are valid. */
export interface TokenObject {
  readonly uid: string;
  /** The deletion timestamp in milliseconds since the epoch, for objects being deleted. */
  readonly deletedAt?: number;
}

/** Returns an object of the core group as it is now. The namespace of nodes is "". (serviceaccount.ServiceAccountTokenGetter) */
export type ServiceAccountTokenGetter = (
  resource: 'nodes' | 'pods' | 'secrets' | 'serviceaccounts',
  namespace: string,
  name: string,
) => Promise<TokenObject | undefined>;

/**
 * Checks that the service account of a token and the pod, secret or node that it is bound to exist.
 * (pkg/serviceaccount/claims.go validator.Validate)
 *
 * @param deletedBefore milliseconds since the epoch: objects with an earlier deletion timestamp count as deleted
 * @throws AuthenticationError
 */
export async function validateBoundObjects(
  { 'kubernetes.io': { namespace, serviceaccount, secret, pod, node } }: TokenClaims,
  get: ServiceAccountTokenGetter,
  deletedBefore: number,
): Promise<void> {
  const isDeleted = ({ deletedAt }: TokenObject): boolean => deletedAt !== undefined && deletedAt < deletedBefore;
  const account = await get('serviceaccounts', namespace, serviceaccount.name);
  if (account === undefined) {
    throw new AuthenticationError(`serviceaccounts ${JSON.stringify(serviceaccount.name)} not found`);
  }
  if (account.uid !== serviceaccount.uid) {
    throw new AuthenticationError(`service account UID (${account.uid}) does not match claim (${serviceaccount.uid})`);
  }
  if (isDeleted(account)) {
    throw new AuthenticationError(`service account ${namespace}/${serviceaccount.name} has been deleted`);
  }
  const bound = [
    { kind: 'secret', claim: secret, found: secret && get('secrets', namespace, secret.name) },
    { kind: 'pod', claim: pod, found: pod && get('pods', namespace, pod.name) },
    // the node of a pod is informational
    { kind: 'node', claim: pod ? undefined : node, found: pod ? undefined : node && get('nodes', '', node.name) },
  ];
  for (const { kind, claim, found } of bound) {
    if (claim === undefined) continue;
    const object = await found;
    if (object === undefined) throw new AuthenticationError('service account token has been invalidated');
    if (object.uid !== claim.uid) {
      throw new AuthenticationError(
        `${kind} UID (${object.uid}) does not match service account ${kind} ref claim (${claim.uid ?? ''})`,
      );
    }
    if (isDeleted(object)) throw new AuthenticationError('service account token has been invalidated');
  }
}
