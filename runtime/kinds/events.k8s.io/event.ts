import type * as events from '../../../generated/v1.35/events.k8s.io/v1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { labelKey as qualifiedName } from '../../machinery/validation/name-formats.ts';
import {
  eventCount,
  eventFirstSeen,
  eventLastSeen,
  eventObject,
  eventSource,
  validateEventNamespace,
} from '../core/event.ts';
import { validateRequiredFormat } from '../validation/fields.ts';
import { toCoreEvent } from './conversion.ts';

type Event = Unvalidated<events.Event>;

/** Errors name the fields of core events, like upstream's. (ValidateEventCreate, pkg/apis/core/validation/events.go) */
export function validateEventV1(event: Event, field: Field): void {
  const { reportingController, note = '', type = '' } = event;
  validateEventNamespace(event.metadata?.namespace ?? '', event.regarding?.namespace ?? '', field);
  if (!event.eventTime) field.child('eventTime').required();
  validateRequiredFormat(reportingController, qualifiedName, field.child('reportingController'));
  for (const name of ['reportingInstance', 'action', 'reason'] as const) {
    const value = event[name] ?? '';
    if (value === '') field.child(name).required();
    else if (value.length > 128) field.child(name).invalid('', 'can have at most 128 characters');
  }
  if (note.length > 1024) field.child('message').invalid('', 'can have at most 1024 characters');
  if (type !== 'Normal' && type !== 'Warning') field.child('type').invalid('', `has invalid value: ${type}`);
}

export const eventsFirstSeen = (event: events.Event, now: number): string => eventFirstSeen(toCoreEvent(event), now);
export const eventsLastSeen = (event: events.Event, now: number): string => eventLastSeen(toCoreEvent(event), now);
export const eventsCount = (event: events.Event): number => eventCount(toCoreEvent(event));
export const eventsObject = (event: events.Event): string => eventObject(toCoreEvent(event));
export const eventsSource = (event: events.Event): string => eventSource(toCoreEvent(event));
export const eventsMessage = ({ note = '' }: Event): string => note.trim();
export const eventsReportingController = ({ reportingController = '' }: Event): string => reportingController;
