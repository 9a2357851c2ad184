import type { RestClient } from '../../client/rest-client.ts';
import { isStatusError } from '../../machinery/errors/status.ts';
import { type ApiResource, collectionPath } from './api-resources.ts';
import { exactList, type ListedObject } from './exact-list.ts';
import { type FieldChange, fieldChanges } from './field-changes.ts';
import { writerOf } from './writer.ts';

/** One revision of an object. */
export interface ObjectRevision {
  readonly revision: number;
  /** `known`: the oldest state that the server has. */
  readonly type: 'created' | 'changed' | 'deleted' | 'known';
  /** RFC 3339. Undefined if the object has no time. */
  readonly time: string | undefined;
  /** The managers of the write in managedFields: `kubectl-apply`. */
  readonly managers: readonly string[];
  /** `Apply` or `Update`, with the subresource. */
  readonly operation: string | undefined;
  readonly changes: readonly FieldChange[];
}

export interface ObjectPlace {
  readonly resource: ApiResource;
  readonly namespace: string;
  readonly name: string;
}

/** Seconds of the watch. All past events come at once. */
const watchSeconds = 1;

/** Returns the known revisions of an object, oldest first: all, if the server keeps all history. @throws StatusError */
export async function objectHistory(client: RestClient, place: ObjectPlace): Promise<ObjectRevision[]> {
  const revisions: ObjectRevision[] = [];
  let previous: ListedObject | undefined;
  for await (const { type, object } of changesOf(client, place)) {
    revisions.push(revisionOf(type, object, previous));
    previous = type === 'DELETED' ? undefined : object;
  }
  return revisions;
}

interface ObjectEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'KNOWN';
  readonly object: ListedObject;
}

async function* changesOf(client: RestClient, place: ObjectPlace): AsyncGenerator<ObjectEvent, void, undefined> {
  const path = collectionPath(place.resource, place.namespace);
  const fieldSelector = `metadata.name=${place.name}`;
  const newest = await exactList(client, path, { fieldSelector });
  // without the object, only a bookmark or the end of the watch ends its events
  const [first] = newest.items;
  const last = first === undefined ? newest.revision : versionOf(first);
  try {
    yield* eventsAfter(client, { path, fieldSelector, begin: 1, last });
  } catch (error) {
    const begin = oldestRevision(error);
    if (begin === undefined) throw error;
    const [known] = (await exactList(client, path, { fieldSelector, revision: begin })).items;
    if (known !== undefined) yield { type: 'KNOWN', object: known };
    if (known === undefined || versionOf(known) < last) {
      yield* eventsAfter(client, { path, fieldSelector, begin, last });
    }
  }
}

/** Returns the oldest revision of a server from its refusal to start at the first. (apiserver storage/cacher) */
function oldestRevision(error: unknown): number | undefined {
  if (!isStatusError(error)) return undefined;
  const found = /^too old resource version: 1 \((\d+)\)/.exec(error.status.message ?? '');
  return found === null ? undefined : Number(found[1]);
}

interface EventRange {
  readonly path: string;
  readonly fieldSelector: string;
  readonly begin: number;
  readonly last: number;
}

async function* eventsAfter(
  client: RestClient,
  { path, fieldSelector, begin, last }: EventRange,
): AsyncGenerator<ObjectEvent, void, undefined> {
  const query = { fieldSelector, resourceVersion: begin, allowWatchBookmarks: true, timeoutSeconds: watchSeconds };
  for await (const { type, object } of client.watch<ListedObject>({ method: 'GET', path, query })) {
    if (type !== 'BOOKMARK') yield { type, object };
    if (versionOf(object) >= last) return;
  }
}

const versionOf = ({ metadata }: ListedObject): number => Number(metadata.resourceVersion);

function revisionOf(type: ObjectEvent['type'], object: ListedObject, previous: ListedObject | undefined): ObjectRevision {
  const revision = versionOf(object);
  if (type === 'DELETED') {
    return { revision, type: 'deleted', time: undefined, managers: [], operation: undefined, changes: [] };
  }
  const writer = writerOf(object, previous);
  if (type === 'KNOWN') return { revision, type: 'known', ...writer, changes: [] };
  if (previous === undefined) {
    const { creationTimestamp } = object.metadata;
    return { revision, type: 'created', ...writer, time: creationTimestamp ?? writer.time, changes: [] };
  }
  return { revision, type: 'changed', ...writer, changes: fieldChanges(previous, object) };
}
