import { ageOf } from '../../machinery/age.ts';
import type { KubeObject, Part } from '../../machinery/object.ts';
import type { Field } from '../../machinery/validation/field.ts';

/** (pkg/apis/core/validation/events.go, legacyValidateEvent) */
export function validateEvent(event: Part, field: Field): void {
  const namespace = event.metadata?.namespace ?? '';
  const involved = event.involvedObject?.namespace ?? '';
  const fits = involved === '' ? namespace === '' || namespace === 'default' : namespace === involved;
  if (!fits) field.child('involvedObject', 'namespace').invalid(involved, 'does not match event.namespace');
}

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

/** (pkg/registry/core/event/strategy.go) The source, or who reports it in the new API. */
export const eventSourceComponent = ({ source, reportingComponent }: KubeObject): string =>
  source?.component || reportingComponent || '';
export const eventReportingController = ({ reportingComponent }: KubeObject): string => reportingComponent ?? '';
