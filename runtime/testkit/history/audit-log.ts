import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { ObjectPlace, ObjectRevision } from './object-history.ts';

/** The request behind a revision, from the audit log. */
export interface Request {
  readonly user: string;
  readonly userAgent: string;
  readonly verb: string;
  readonly time: string;
}

/** A successful write of an object, from its line in the log. */
interface AuditedWrite extends Request {
  readonly received: string;
  /** The revision in the response, which only the level RequestResponse logs. */
  readonly revision: number | undefined;
}

const verbsOf: Readonly<Record<ObjectRevision['type'], readonly string[]>> = {
  created: ['create', 'patch', 'update'],
  changed: ['patch', 'update', 'delete'],
  deleted: ['delete', 'deletecollection'],
  known: [],
};

/**
 * Finds the requests that wrote the revisions of an object. A logged response has its revision. A line with only
 * metadata is matched by order and time; times in objects have whole seconds.
 *
 * @returns a request for each revision; undefined where the log has none
 */
export async function requestsOf(
  path: string,
  place: ObjectPlace,
  revisions: readonly ObjectRevision[],
): Promise<readonly (Request | undefined)[]> {
  const writes = await writesOf(path, place);
  const used = new Set<AuditedWrite>();
  const take = (found: AuditedWrite | undefined): Request | undefined => {
    if (found === undefined) return undefined;
    used.add(found);
    const { user, userAgent, verb, time } = found;
    return { user, userAgent, verb, time };
  };
  const exact = revisions.map(({ revision, type }) =>
    type === 'deleted' ? undefined : take(writes.find((write) => write.revision === revision)),
  );
  return revisions.map(
    (revision, at) => exact[at] ?? take(writes.find((write) => !used.has(write) && write.revision === undefined && fits(write, revision))),
  );
}

function fits({ verb, received, time }: AuditedWrite, { type, time: written }: ObjectRevision): boolean {
  if (!verbsOf[type].includes(verb)) return false;
  return written === undefined || (second(received) <= second(written) && second(written) <= second(time));
}

const second = (time: string): number => Math.floor(Date.parse(time) / 1000);

async function writesOf(path: string, { resource, namespace, name }: ObjectPlace): Promise<AuditedWrite[]> {
  const writes: AuditedWrite[] = [];
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    // parse only lines that may be about the object
    if (!line.includes('"ResponseComplete"') || !line.includes(`"${resource.name}"`)) continue;
    const event = JSON.parse(line);
    const { objectRef: of = {}, responseStatus = {} } = event;
    const isOfObject =
      of.resource === resource.name &&
      (of.apiGroup ?? '') === resource.group &&
      (!resource.namespaced || of.namespace === namespace) &&
      (of.name === name || event.verb === 'deletecollection' || event.responseObject?.metadata?.name === name);
    if (!isOfObject || !(responseStatus.code < 300) || ['get', 'list', 'watch'].includes(event.verb)) continue;
    const version = event.verb === 'delete' ? undefined : event.responseObject?.metadata?.resourceVersion;
    writes.push({
      user: (event.impersonatedUser ?? event.user)?.username ?? '',
      userAgent: event.userAgent ?? '',
      verb: event.verb,
      time: event.stageTimestamp,
      received: event.requestReceivedTimestamp,
      revision: version === undefined ? undefined : Number(version),
    });
  }
  return writes;
}
