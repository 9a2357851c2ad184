import type { RequestInfo, RequestQuery } from '../request-info.ts';

/** The number and size of a resource's stored objects. */
export interface ResourceSize {
  readonly objects: number;
  /** The average stored size of an object. */
  readonly averageBytes: number;
}

const maximumListSeatsLimit = 100;
const bytesPerSeat = 100_000;
/** The maximum memory of a list from the watch cache, in bytes. Such a list is streamed. */
const cacheWithStreamingMaxMemoryUsage = 1_000_000;
/** The assumed size if the average is unknown: the largest object that etcd stores. */
const maxObjectSize = 1_500_000;

/**
 * Estimates the seats of a list, or of a watch that sends initial events, by its memory. (apiserver
 * pkg/util/flowcontrol/request/list_work_estimator.go)
 *
 * @param size undefined if unknown, as for aggregated resources, which another server lists
 * @param maxSeats the limit of the priority level; undefined for only the general limit
 */
export function estimateListSeats(
  request: RequestInfo,
  query: RequestQuery,
  size: ResourceSize | undefined,
  maxSeats: number | undefined,
): number {
  const seatsLimit = Math.min(maxSeats ?? maximumListSeatsLimit, maximumListSeatsLimit);
  const parameter = (name: string): string => query.get(name)?.[0] ?? '';
  const limit = parameter('limit') === '' ? 0 : Number(parameter('limit'));
  // invalid options: the request will fail
  if (!Number.isInteger(limit)) return seatsLimit;
  const isWatch = request.verb === 'watch';
  if (isWatch && !sendsInitialEvents(parameter)) return 1;
  if (size === undefined) return 1;
  const fromCache = isWatch || !listFromStorage(parameter, limit);
  const averageBytes = size.averageBytes <= 0 && size.objects !== 0 ? maxObjectSize : size.averageBytes;
  const page = limit > 0 ? Math.min(limit, size.objects) : size.objects;
  const hasSelector = parameter('fieldSelector') !== '' || parameter('labelSelector') !== '';
  let objectsLoaded = page;
  if (request.name !== '') objectsLoaded = 1;
  else if (!fromCache && hasSelector) objectsLoaded = Math.max(page, Math.trunc(size.objects / 2));
  const bytes = objectsLoaded * averageBytes;
  const seats = Math.ceil((fromCache ? Math.min(bytes, cacheWithStreamingMaxMemoryUsage) : bytes) / bytesPerSeat);
  return Math.min(Math.max(seats, 1), seatsLimit);
}

/** Watches without a resourceVersion, or from "0", start with the current objects; others do so on request. */
function sendsInitialEvents(parameter: (name: string) => string): boolean {
  const resourceVersion = parameter('resourceVersion');
  const requested = parameter('sendInitialEvents').toLowerCase();
  return resourceVersion === '' || resourceVersion === '0' || (requested !== '' && requested !== 'false' && requested !== '0');
}

/** Exact versions, and pages after the first one, are read from storage. (pkg/storage/cacher/delegator) */
function listFromStorage(parameter: (name: string) => string, limit: number): boolean {
  const resourceVersion = parameter('resourceVersion');
  switch (parameter('resourceVersionMatch')) {
    case 'Exact':
      return true;
    case 'NotOlderThan':
      return false;
    case '':
      return parameter('continue') !== '' || (limit > 0 && resourceVersion !== '' && resourceVersion !== '0');
    default:
      return true;
  }
}
