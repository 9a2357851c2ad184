import type { KubeObject } from '../machinery/object.ts';
import { timeText } from '../machinery/scalars/time.ts';
import type { RESTStrategy } from './rest.ts';

/**
 * The outcome of rest.BeforeDelete: `none` if the object gets no grace period, `pending` if a running graceful deletion
 * ends no later than this one would, else the seconds until the object is gone.
 */
export type GracefulDeletion = 'none' | 'pending' | number;

/** Years have four digits. */
const lastTimestamp = Date.UTC(9999, 11, 31, 23, 59, 59);

/**
 * Sets deletionTimestamp and deletionGracePeriodSeconds on an object of a kind with graceful deletion. A later deletion
 * can only shorten the period. (apiserver registry/rest/delete.go BeforeDelete)
 *
 * @param requested gracePeriodSeconds of the request; below 0 is 1
 * @param now milliseconds since the epoch
 */
export function beforeDelete(object: KubeObject, strategy: RESTStrategy, requested: number | undefined, now: number): GracefulDeletion {
  const { metadata } = object;
  if (strategy.checkGracefulDelete === undefined) return 'none';
  const wanted = requested !== undefined && requested < 0 ? 1 : requested;
  if (metadata.deletionTimestamp) return shorten(object, wanted, now);
  const seconds = Math.max(0, strategy.checkGracefulDelete(object, wanted));
  metadata.deletionTimestamp = timeText(Math.min(now + seconds * 1000, lastTimestamp));
  metadata.deletionGracePeriodSeconds = seconds;
  if (metadata.generation) metadata.generation += 1;
  return seconds;
}

function shorten({ metadata }: KubeObject, wanted: number | undefined, now: number): GracefulDeletion {
  const granted = metadata.deletionGracePeriodSeconds ?? 0;
  if (granted === 0) return 'none';
  if (wanted === undefined || wanted >= Math.max(1, granted)) return 'pending';
  const end = Date.parse(metadata.deletionTimestamp as string) + (wanted - granted) * 1000;
  metadata.deletionTimestamp = timeText(Math.max(now, end));
  // the node finishes a graceful deletion, even if the new period is already over
  metadata.deletionGracePeriodSeconds = end < now && wanted !== 0 ? 1 : wanted;
  return wanted;
}
