import { StorageError } from '../errors.ts';
import { GRPCError } from '../grpc/grpc-status.ts';

/** What clientv3 says of a failed call. (client/v3 toErr) */
export function etcdMessage({ code, description, message }: GRPCError): string {
  if (description.startsWith('etcdserver: ')) return description;
  return code === 'DeadlineExceeded' ? 'context deadline exceeded' : message;
}

/** The codes of calls that etcd has refused. With any other, a write may have been proposed. */
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

/** What members say before they look at a call: the first because of the metadata `hasleader`, the second under load. */
const notNow: ReadonlySet<string> = new Set(['etcdserver: no leader', 'etcdserver: too many requests']);

/** Whether a call has certainly had no effect. */
export function hadNoEffect(error: GRPCError): boolean {
  return error.isRefused || refusals.has(error.code) || notNow.has(error.description);
}

/** Whether another attempt, at another member perhaps, may succeed. @param isRead without effect, even if it succeeded */
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

/** Why etcd cannot be used at all: with the reason, which clients of the API are not told. */
export function cannotOpen(error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  if (!(error instanceof GRPCError)) throw error;
  return new StorageError('unavailable', `etcd cannot be opened: ${error.description}`);
}
