import type * as core from '../../../generated/v1.35/core/v1/types.ts';
import type * as events from '../../../generated/v1.35/events.k8s.io/v1/types.ts';
import type { ObjectMeta } from '../../machinery/object.ts';
import type { Conversion } from '../../machinery/resource.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';

/**
 * Events of both groups are stored as events of the core group. Members are in the order of the Go struct, and empty
 * ones have the values that Go writes. (pkg/apis/events/v1/conversion.go)
 */

type CoreEvent = Unvalidated<core.Event> & { metadata: ObjectMeta };
type EventsEvent = Unvalidated<events.Event> & { metadata: ObjectMeta };

export function toCoreEvent(event: EventsEvent): CoreEvent {
  const out: CoreEvent = { kind: 'Event', apiVersion: 'v1', metadata: event.metadata };
  out.involvedObject = event.regarding ?? {};
  if (event.reason) out.reason = event.reason;
  if (event.note) out.message = event.note;
  out.source = event.deprecatedSource ?? {};
  out.firstTimestamp = event.deprecatedFirstTimestamp || null;
  out.lastTimestamp = event.deprecatedLastTimestamp || null;
  if (event.deprecatedCount !== undefined) out.count = event.deprecatedCount;
  if (event.type) out.type = event.type;
  out.eventTime = event.eventTime || null;
  if (event.series) out.series = toCoreSeries(event.series);
  if (event.action) out.action = event.action;
  if (event.related) out.related = event.related;
  out.reportingComponent = event.reportingController ?? '';
  out.reportingInstance = event.reportingInstance ?? '';
  return out;
}

function fromCoreEvent(event: CoreEvent): EventsEvent {
  const out: EventsEvent = { kind: 'Event', apiVersion: 'events.k8s.io/v1', metadata: event.metadata };
  out.eventTime = event.eventTime || null;
  if (event.series) out.series = { ...event.series, count: event.series.count ?? 0 };
  if (event.reportingComponent) out.reportingController = event.reportingComponent;
  if (event.reportingInstance) out.reportingInstance = event.reportingInstance;
  if (event.action) out.action = event.action;
  if (event.reason) out.reason = event.reason;
  out.regarding = event.involvedObject ?? {};
  if (event.related) out.related = event.related;
  if (event.message) out.note = event.message;
  if (event.type) out.type = event.type;
  out.deprecatedSource = event.source ?? {};
  out.deprecatedFirstTimestamp = event.firstTimestamp || null;
  out.deprecatedLastTimestamp = event.lastTimestamp || null;
  if (event.count !== undefined) out.deprecatedCount = event.count;
  return out;
}

/** In Go, only the count of events.k8s.io lacks omitempty. */
function toCoreSeries({ count, ...series }: Unvalidated<events.EventSeries>): Unvalidated<core.EventSeries> {
  return count ? { count, ...series } : series;
}

export const eventsV1: Conversion = { toStorage: toCoreEvent, fromStorage: fromCoreEvent };
