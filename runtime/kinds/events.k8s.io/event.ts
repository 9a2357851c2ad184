import type * as events from '../../../generated/v1.35/events.k8s.io/v1/types.ts';
import { eventCount, eventFirstSeen, eventLastSeen, eventObject, eventSource } from '../core/event.ts';
import { toCoreEvent } from './conversion.ts';

export const eventsFirstSeen = (event: events.Event, now: number): string => eventFirstSeen(toCoreEvent(event), now);
export const eventsLastSeen = (event: events.Event, now: number): string => eventLastSeen(toCoreEvent(event), now);
export const eventsCount = (event: events.Event): number => eventCount(toCoreEvent(event));
export const eventsObject = (event: events.Event): string => eventObject(toCoreEvent(event));
export const eventsSource = (event: events.Event): string => eventSource(toCoreEvent(event));
export const eventsMessage = ({ note = '' }: events.Event): string => note.trim();
export const eventsReportingController = ({ reportingController = '' }: events.Event): string => reportingController;
