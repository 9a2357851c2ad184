import { StorageError } from '../errors.ts';
import { GRPCError } from '../grpc/grpc-status.ts';

/** Returns clientv3's message for a failed call. (client/v3 toErr) */
export function etcdMessage({ code, description, message }: GRPCError): string {
  if (description.startsWith('etcdserver: ')) return description;
  return code === 'DeadlineExceeded' ? 'context deadline exceeded' : message;
}

/** Codes of calls that etcd has refused. With other codes, a write may have been proposed. */
const refusals: ReadonlySet<string> = new Set([
  'InvalidArgument',
  'NotFound',
  'PermissionDenied',
  'FailedPrecondition',
  'ResourceExhausted',
  'OutOfRange',
  'Unauthenticated',
  'Unimplemented',
]);

/**
 * Errors of members that have not looked at the call: without a leader, because of the metadata `hasleader`, or under
 * load.
 */
const notNow: ReadonlySet<string> = new Set(['etcdserver: no leader', 'etcdserver: too many requests']);

/** Reports whether a call certainly had no effect. */
export function hadNoEffect(error: GRPCError): boolean {
  return error.isRefused || refusals.has(error.code) || notNow.has(error.description);
}

/**
 * Reports whether another attempt, possibly at another member, may succeed.
 *
 * @param isRead whether the call has no effect even if it succeeds
 */
export function canRetry(error: GRPCError, isRead: boolean): boolean {
  if (error.isRefused || notNow.has(error.description)) return true;
  return isRead && (error.code === 'Unavailable' || error.code === 'DeadlineExceeded');
}

export function toStorageError(error: unknown, isWrite: boolean): StorageError {
  if (error instanceof StorageError) return error;
  if (!(error instanceof GRPCError)) throw error;
  return new StorageError(isWrite && !hadNoEffect(error) ? 'unknown-outcome' : 'unavailable', etcdMessage(error));
}

export const isCompacted = (error: unknown): boolean =>
  error instanceof GRPCError && error.description === 'etcdserver: mvcc: required revision has been compacted';

export const isFuture = (error: unknown): boolean =>
  error instanceof GRPCError && error.description === 'etcdserver: mvcc: required revision is a future revision';

export const isLeaseNotFound = (error: unknown): boolean =>
  error instanceof GRPCError && error.description === 'etcdserver: requested lease not found';

/** Returns the error for an unusable etcd. It has the reason, which clients of the API do not see. */
export function cannotOpen(error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  if (!(error instanceof GRPCError)) throw error;
  return new StorageError('unavailable', `etcd cannot be opened: ${error.description}`);
}
