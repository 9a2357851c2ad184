import type { KubeObject, Part } from '../../machinery/object.ts';
import type { Conversion } from '../../machinery/resource.ts';

/** Fields of events.k8s.io/v1 and what core/v1 calls them; the others have one name. (pkg/apis/events/v1/conversion.go) */
const names: readonly (readonly [eventsName: string, coreName: string])[] = [
  ['regarding', 'involvedObject'],
  ['note', 'message'],
  ['reportingController', 'reportingComponent'],
  ['deprecatedSource', 'source'],
  ['deprecatedFirstTimestamp', 'firstTimestamp'],
  ['deprecatedLastTimestamp', 'lastTimestamp'],
  ['deprecatedCount', 'count'],
];
const toCore: ReadonlyMap<string, string> = new Map(names);
const fromCore: ReadonlyMap<string, string> = new Map(names.map(([eventsName, coreName]) => [coreName, eventsName]));

function rename(object: KubeObject, map: ReadonlyMap<string, string>, apiVersion: string): KubeObject {
  const out: Part = {};
  for (const key of Object.keys(object)) out[map.get(key) ?? key] = object[key];
  out.apiVersion = apiVersion;
  return out;
}

export const toCoreEvent = (event: KubeObject): KubeObject => rename(event, toCore, 'v1');
export const fromCoreEvent = (event: KubeObject): KubeObject => rename(event, fromCore, 'events.k8s.io/v1');

/** Events of both groups are one and are kept as core ones. */
export const eventsV1: Conversion = { toStorage: toCoreEvent, fromStorage: fromCoreEvent };
