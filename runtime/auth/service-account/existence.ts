import { AuthenticationError } from '../authenticator.ts';
import type { TokenClaims } from './claims.ts';

/** What of an object decides whether tokens that name it count. */
export interface FoundObject {
  readonly uid: string;
  /** Milliseconds since the epoch: when the object is to be gone, once it is being deleted. */
  readonly deletedAt?: number;
}

/** Looks for an object of the core group as it is now; the namespace of nodes is "". */
export type FindObject = (
  resource: 'nodes' | 'pods' | 'secrets' | 'serviceaccounts',
  namespace: string,
  name: string,
) => Promise<FoundObject | undefined>;

/**
 * A token ends with its service account, and with the pod, secret or node that it is bound to. Throws
 * AuthenticationError. (pkg/serviceaccount/claims.go)
 *
 * @param since milliseconds since the epoch: what was to be gone before is gone
 */
export async function checkExistence(
  { 'kubernetes.io': { namespace, serviceaccount, secret, pod, node } }: TokenClaims,
  find: FindObject,
  since: number,
): Promise<void> {
  const isGone = ({ deletedAt }: FoundObject): boolean => deletedAt !== undefined && deletedAt < since;
  const account = await find('serviceaccounts', namespace, serviceaccount.name);
  if (account === undefined) {
    throw new AuthenticationError(`serviceaccounts ${JSON.stringify(serviceaccount.name)} not found`);
  }
  if (account.uid !== serviceaccount.uid) {
    throw new AuthenticationError(`service account UID (${account.uid}) does not match claim (${serviceaccount.uid})`);
  }
  if (isGone(account)) {
    throw new AuthenticationError(`service account ${namespace}/${serviceaccount.name} has been deleted`);
  }
  const bound = [
    { kind: 'secret', claim: secret, found: secret && find('secrets', namespace, secret.name) },
    { kind: 'pod', claim: pod, found: pod && find('pods', namespace, pod.name) },
    // the node of a pod is told, not bound to
    { kind: 'node', claim: pod ? undefined : node, found: pod ? undefined : node && find('nodes', '', node.name) },
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
    if (isGone(object)) throw new AuthenticationError('service account token has been invalidated');
  }
}
