import type { ResourceRequest } from '../../endpoints/resource-request.ts';
import type { ApiContext } from '../../http/context.ts';
import type { GroupResource } from '../../machinery/gvk.ts';
import type { ResourceDefinition } from '../../machinery/resource.ts';
import type { UserInfo } from '../../machinery/user-info.ts';
import { dataOf } from '../../storage/object-store/detached-object.ts';
import { keyOfWrite } from './effects.ts';
import { isAbout, type JobFacts } from './facts.ts';
import type { Conflict } from './perform-effects.ts';
import type { Job } from './protocol.ts';

/** The resource whose collection has the objects of a definition. */
export const storedAs = ({ group, storageGroup = group, resource }: ResourceDefinition): GroupResource => ({
  group: storageGroup,
  resource,
});

/** Whether the first attempt already needs the newest state: nothing corrects a dry run, and a deletion reads once. */
const readsNewest = ({ ctx: { state }, info }: ResourceRequest): boolean => info.verb === 'delete' || state.query.has('dryRun');

/** Returns what a job needs in any case: the state of the object that the path names. */
export async function factsFor(request: ResourceRequest): Promise<JobFacts> {
  const { definition, store, namespace, name } = request;
  const facts = generalFacts(request);
  if (!definition.stored || name === '') return { ...facts, objects: [] };
  const isNewest = readsNewest(request);
  const snapshot = isNewest ? await store.collection.mostRecent() : store.collection.latest();
  const object = snapshot.get(namespace, name);
  return { ...facts, objects: [{ collection: storedAs(definition), namespace, name, object: object && dataOf(object), isNewest }] };
}

/** Returns the facts that are not about an object. */
export function generalFacts({ scope, store: { collection } }: ResourceRequest): Omit<JobFacts, 'objects'> {
  const prefix = collection.storageKey('', '');
  const root = prefix.slice(0, -`/${collection.resource.resourcePrefix}/`.length);
  return { revision: scope.stores.revision(), root, checksSize: collection.checksSize };
}

/** Replaces what has changed during the last run. */
export function factsAfter(request: ResourceRequest, { objects }: JobFacts, { write, newest }: Conflict): Partial<JobFacts> {
  const { collection } = write;
  const { namespace, name } = keyOfWrite(write);
  const fact = { collection, namespace, name, object: newest && dataOf(newest), isNewest: readsNewest(request) };
  return { objects: [...objects.filter((one) => !isAbout(one, collection, fact)), fact] };
}

/** Returns the job of a request. */
export function jobOf({ ctx, definition, scope }: ResourceRequest, body: Uint8Array, facts: JobFacts): Job {
  const { method, req, state } = ctx;
  const { auditId, receivedAt, user, cborEnabled: cbor } = state;
  return {
    method,
    url: req.url ?? '/',
    headers: headersOf(req.headers),
    auditId,
    receivedAt,
    cbor,
    body,
    facts,
    user: user as UserInfo,
    ...(state.audit && { audit: { level: state.audit.level, omitManagedFields: state.audit.omitManagedFields } }),
    ...(definition.type.unstructured ? { definition: `${definition.resource}.${definition.group}` } : {}),
    now: scope.clock.now(),
    deadline: state.deadline,
  };
}

/** The options of a response, which a read has too. */
const responseOptions = ['pretty', 'includeObject'] as const;

/** Returns the URL under which the written object, or its scale, can be read. */
export function urlOf({ ctx, info }: ResourceRequest, name: string): string {
  const { query } = ctx.state;
  const options = new URLSearchParams();
  for (const option of responseOptions) for (const value of query.get(option) ?? []) options.append(option, value);
  const path = ctx.path.replace(/\/$/, '');
  const subresource = info.subresource === '' || info.subresource === 'scale' ? '' : `/${info.subresource}`;
  const object = info.name === '' ? `${path}/${encodeURIComponent(name)}` : path.slice(0, path.length - subresource.length);
  return options.size === 0 ? object : `${object}?${options}`;
}

/** The headers that endpoints read. */
const sentHeaders = ['accept', 'content-type', 'user-agent'] as const;

function headersOf(headers: ApiContext['req']['headers']): Record<string, string> {
  const sent: Record<string, string> = {};
  for (const name of sentHeaders) if (headers[name] !== undefined) sent[name] = headers[name];
  return sent;
}
