import type { RequestDigest, RequestQuery } from '../request-digest.ts';

/** How much there is of a resource. */
export interface ResourceSize {
  readonly objects: number;
  /** Of one object, as it is stored. */
  readonly averageBytes: number;
}

/** Most seats that a list takes, whatever its level. (MaximumListSeatsLimit) */
const widestList = 100;
const bytesPerSeat = 100_000;
/** What a list from the cache has in memory at once, since it is streamed. */
const streamedBytes = 1_000_000;
const largestObject = 1_500_000;

/**
 * Seats of a list, or of a watch that begins as one: what it has in memory at once.
 * (apiserver pkg/util/flowcontrol/request/list_work_estimator.go)
 *
 * @param size undefined: not known here, as of aggregated resources; that is somebody else's work
 * @param most of the level; undefined for no limit but that of all lists
 */
export function listSeats(
  request: RequestDigest,
  query: RequestQuery,
  size: ResourceSize | undefined,
  most: number | undefined,
): number {
  const limit = Math.min(most ?? widestList, widestList);
  const first = (name: string): string => query.get(name)?.[0] ?? '';
  const count = first('limit') === '' ? 0 : Number(first('limit'));
  // such a request will be refused by those who read it
  if (!Number.isInteger(count)) return limit;
  const watch = request.verb === 'watch';
  if (watch && !sendsState(first)) return 1;
  if (size === undefined) return 1;
  const fromCache = watch || !bypassesCache(first, count);
  const averageBytes = size.averageBytes <= 0 && size.objects !== 0 ? largestObject : size.averageBytes;
  const page = count > 0 ? Math.min(count, size.objects) : size.objects;
  const selects = first('fieldSelector') !== '' || first('labelSelector') !== '';
  let loaded = page;
  if (request.name !== '') loaded = 1;
  else if (!fromCache && selects) loaded = Math.max(page, Math.trunc(size.objects / 2));
  const bytes = loaded * averageBytes;
  const seats = Math.ceil((fromCache ? Math.min(bytes, streamedBytes) : bytes) / bytesPerSeat);
  return Math.min(Math.max(seats, 1), limit);
}

/** Watches of nothing, or of any version, show what there is; others if they ask to. */
function sendsState(first: (name: string) => string): boolean {
  const version = first('resourceVersion');
  const asked = first('sendInitialEvents').toLowerCase();
  return version === '' || version === '0' || (asked !== '' && asked !== 'false' && asked !== '0');
}

/** Exact versions and pages behind the first are read from the store. (pkg/storage/cacher/delegator) */
function bypassesCache(first: (name: string) => string, limit: number): boolean {
  const version = first('resourceVersion');
  switch (first('resourceVersionMatch')) {
    case 'Exact':
      return true;
    case 'NotOlderThan':
      return false;
    case '':
      return first('continue') !== '' || (limit > 0 && version !== '' && version !== '0');
    default:
      return true;
  }
}
