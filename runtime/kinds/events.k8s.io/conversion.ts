import type * as core from '../../../generated/v1.35/core/v1/types.ts';
import type * as events from '../../../generated/v1.35/events.k8s.io/v1/types.ts';
import type { ObjectMeta } from '../../machinery/object.ts';
import type { Conversion } from '../../machinery/resource.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import { deleteUndefined } from '../conversion.ts';

/**
 * Events of both groups are stored as events of the core group. Members are in the order of the Go struct, with the
 * values that Go writes for empty ones. (pkg/apis/events/v1/conversion.go)
 */

type CoreEvent = Unvalidated<core.Event> & { metadata: ObjectMeta };
type EventsEvent = Unvalidated<events.Event> & { metadata: ObjectMeta };

export const toCoreEvent = (event: EventsEvent): CoreEvent =>
  deleteUndefined({
    kind: 'Event',
    apiVersion: 'v1',
    metadata: event.metadata,
    involvedObject: event.regarding ?? {},
    reason: event.reason || undefined,
    message: event.note || undefined,
    source: event.deprecatedSource ?? {},
    firstTimestamp: event.deprecatedFirstTimestamp || null,
    lastTimestamp: event.deprecatedLastTimestamp || null,
    count: event.deprecatedCount ?? undefined,
    type: event.type || undefined,
    eventTime: event.eventTime || null,
    series: event.series ?? undefined,
    action: event.action || undefined,
    related: event.related ?? undefined,
    reportingComponent: event.reportingController ?? '',
    reportingInstance: event.reportingInstance ?? '',
  });

export const fromCoreEvent = (event: CoreEvent): EventsEvent =>
  deleteUndefined({
    kind: 'Event',
    apiVersion: 'events.k8s.io/v1',
    metadata: event.metadata,
    eventTime: event.eventTime || null,
    series: event.series ?? undefined,
    reportingController: event.reportingComponent || undefined,
    reportingInstance: event.reportingInstance || undefined,
    action: event.action || undefined,
    reason: event.reason || undefined,
    regarding: event.involvedObject ?? {},
    related: event.related ?? undefined,
    note: event.message || undefined,
    type: event.type || undefined,
    deprecatedSource: event.source ?? {},
    deprecatedFirstTimestamp: event.firstTimestamp || null,
    deprecatedLastTimestamp: event.lastTimestamp || null,
    deprecatedCount: event.count ?? undefined,
  });

export const eventsV1: Conversion = { toStorage: toCoreEvent, fromStorage: fromCoreEvent };
