import type { KubeObject } from '../machinery/object.ts';
import { timeText } from '../machinery/scalars/time.ts';
import type { ResourceStore } from './resource-store.ts';

/**
 * What a deletion with a grace period comes to: `none`, the object is not given time; `pending`, it has less time
 * already than this deletion would give; or the seconds it has from now on.
 */
export type Grace = 'none' | 'pending' | number;

/** Years have four digits. */
const lastMoment = Date.UTC(9999, 11, 31, 23, 59, 59);

/**
 * Writes into the object how long it has. Only kinds with a grace period get any, and a later deletion can only shorten
 * it. (apiserver registry/rest/delete.go BeforeDelete)
 *
 * @param asked gracePeriodSeconds of the request; below 0 is 1
 * @param now milliseconds since the epoch
 */
export function grantGrace(object: KubeObject, store: ResourceStore, asked: number | undefined, now: number): Grace {
  const { metadata } = object;
  if (store.hooks.gracePeriod === undefined) return 'none';
  const wanted = asked !== undefined && asked < 0 ? 1 : asked;
  if (metadata.deletionTimestamp) return shorten(object, wanted, now);
  const seconds = Math.max(0, store.hooks.gracePeriod(object, wanted));
  metadata.deletionTimestamp = timeText(Math.min(now + seconds * 1000, lastMoment));
  metadata.deletionGracePeriodSeconds = seconds;
  if (metadata.generation) metadata.generation += 1;
  return seconds;
}

function shorten({ metadata }: KubeObject, wanted: number | undefined, now: number): Grace {
  const given = metadata.deletionGracePeriodSeconds ?? 0;
  if (given === 0) return 'none';
  if (wanted === undefined || wanted >= Math.max(1, given)) return 'pending';
  const end = Date.parse(metadata.deletionTimestamp as string) + (wanted - given) * 1000;
  metadata.deletionTimestamp = timeText(Math.max(now, end));
  // what was to end gracefully is ended by its node, not here, even when its time is up
  metadata.deletionGracePeriodSeconds = end < now && wanted !== 0 ? 1 : wanted;
  return wanted;
}
