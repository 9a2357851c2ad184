import type { KubeObject, Part } from '../../machinery/object.ts';
import type { Conversion } from '../../machinery/resource.ts';

/**
 * Fields of one group's event in the order of its Go struct: its own name, the other group's, and what Go writes
 * where there is nothing. (pkg/apis/events/v1/conversion.go)
 */
type Field = readonly [name: string, otherName: string, nothing?: Part];

const coreFields: readonly Field[] = [
  ['involvedObject', 'regarding', {}],
  ['reason', 'reason'],
  ['message', 'note'],
  ['source', 'deprecatedSource', {}],
  ['firstTimestamp', 'deprecatedFirstTimestamp', null],
  ['lastTimestamp', 'deprecatedLastTimestamp', null],
  ['count', 'deprecatedCount'],
  ['type', 'type'],
  ['eventTime', 'eventTime', null],
  ['series', 'series'],
  ['action', 'action'],
  ['related', 'related'],
  ['reportingComponent', 'reportingController', ''],
  ['reportingInstance', 'reportingInstance', ''],
];

const eventsFields: readonly Field[] = [
  ['eventTime', 'eventTime', null],
  ['series', 'series'],
  ['reportingController', 'reportingComponent'],
  ['reportingInstance', 'reportingInstance'],
  ['action', 'action'],
  ['reason', 'reason'],
  ['regarding', 'involvedObject', {}],
  ['related', 'related'],
  ['note', 'message'],
  ['type', 'type'],
  ['deprecatedSource', 'source', {}],
  ['deprecatedFirstTimestamp', 'firstTimestamp', null],
  ['deprecatedLastTimestamp', 'lastTimestamp', null],
  ['deprecatedCount', 'count'],
];

function rename(event: KubeObject, fields: readonly Field[], apiVersion: string): KubeObject {
  const out: KubeObject = { kind: 'Event', apiVersion, metadata: event.metadata };
  for (const [name, otherName, nothing] of fields) {
    const value = event[otherName];
    if (value !== undefined && value !== null && value !== '') out[name] = value;
    else if (nothing !== undefined) out[name] = typeof nothing === 'object' && nothing ? {} : nothing;
  }
  return out;
}

export const toCoreEvent = (event: KubeObject): KubeObject => rename(event, coreFields, 'v1');
export const fromCoreEvent = (event: KubeObject): KubeObject => rename(event, eventsFields, 'events.k8s.io/v1');

/** Events of both groups are one and are kept as core ones. */
export const eventsV1: Conversion = { toStorage: toCoreEvent, fromStorage: fromCoreEvent };
