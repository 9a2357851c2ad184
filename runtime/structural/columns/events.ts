import type { KubeObject } from '../../machinery/object.ts';
import { toCoreEvent } from '../conversion/events.ts';
import { ageOf } from './age.ts';

export const eventFirstSeen = ({ firstTimestamp, eventTime }: KubeObject, now: number): string =>
  ageOf(firstTimestamp || eventTime, now);

export function eventLastSeen(event: KubeObject, now: number): string {
  if (event.series) return ageOf(event.series.lastObservedTime, now);
  return event.lastTimestamp ? ageOf(event.lastTimestamp, now) : eventFirstSeen(event, now);
}

/** Events of the new API that happened once have no count. */
export const eventCount = ({ series, count }: KubeObject): number => (series ? (series.count ?? 0) : count || 1);

/** As `pod/nginx`. */
export function eventObject({ involvedObject }: KubeObject): string {
  const kind = (involvedObject?.kind ?? '').toLowerCase();
  return involvedObject?.name ? `${kind}/${involvedObject.name}` : kind;
}

export function eventSource({ source, reportingComponent, reportingInstance }: KubeObject): string {
  const component = source?.component || reportingComponent || '';
  const instance = source?.host || reportingInstance || '';
  return instance === '' ? component : `${component}, ${instance}`;
}

export const eventMessage = ({ message }: KubeObject): string => (message ?? '').trim();

export const eventsFirstSeen = (event: KubeObject, now: number): string => eventFirstSeen(toCoreEvent(event), now);
export const eventsLastSeen = (event: KubeObject, now: number): string => eventLastSeen(toCoreEvent(event), now);
export const eventsCount = (event: KubeObject): number => eventCount(toCoreEvent(event));
export const eventsObject = (event: KubeObject): string => eventObject(toCoreEvent(event));
export const eventsSource = (event: KubeObject): string => eventSource(toCoreEvent(event));
export const eventsMessage = ({ note }: KubeObject): string => (note ?? '').trim();
