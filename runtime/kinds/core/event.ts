import type { Event } from '../../../generated/v1.35/core/v1/types.ts';
import { ageOf } from '../../machinery/age.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import type { RESTStrategy } from '../../resources/rest.ts';

/** Events of the core group, and the rules they share with those of events.k8s.io. */

export interface EventStrategyOptions {
  /** Milliseconds after its last write at which an event is deleted; 0 for never. Default: an hour. */
  readonly eventTTL?: number | undefined;
}

/** (pkg/registry/core/event/storage) */
export function newEventStrategy({ eventTTL = 3_600_000 }: EventStrategyOptions): RESTStrategy {
  const ttlSeconds = Math.floor(eventTTL / 1000);
  return { defaultGarbageCollectionPolicy: 'Unsupported', ...(ttlSeconds === 0 ? {} : { ttlSeconds }) };
}

type CoreEvent = Unvalidated<Event>;

/** (pkg/apis/core/validation/events.go, legacyValidateEvent) */
export function validateEvent({ metadata, involvedObject }: CoreEvent, field: Field): void {
  validateEventNamespace(metadata?.namespace ?? '', involvedObject?.namespace ?? '', field);
}

/** Events about cluster-scoped objects are in the default namespace. */
export function validateEventNamespace(namespace: string, involvedNamespace: string, field: Field): void {
  const isValid =
    involvedNamespace === '' ? namespace === '' || namespace === 'default' : namespace === involvedNamespace;
  if (isValid) return;
  field.child('involvedObject', 'namespace').invalid(involvedNamespace, 'does not match event.namespace');
}

export const eventFirstSeen = ({ firstTimestamp, eventTime }: CoreEvent, now: number): string =>
  ageOf(firstTimestamp || eventTime, now);

export function eventLastSeen(event: CoreEvent, now: number): string {
  if (event.series) return ageOf(event.series.lastObservedTime, now);
  return event.lastTimestamp ? ageOf(event.lastTimestamp, now) : eventFirstSeen(event, now);
}

/** An event of the newer API that occurred once has no count. */
export const eventCount = ({ series, count }: CoreEvent): number => (series ? (series.count ?? 0) : count || 1);

/** `pod/nginx` */
export function eventObject({ involvedObject }: CoreEvent): string {
  const kind = (involvedObject?.kind ?? '').toLowerCase();
  return involvedObject?.name ? `${kind}/${involvedObject.name}` : kind;
}

export function eventSource({ source, reportingComponent, reportingInstance }: CoreEvent): string {
  const component = source?.component || reportingComponent || '';
  const instance = source?.host || reportingInstance || '';
  return instance === '' ? component : `${component}, ${instance}`;
}

export const eventMessage = ({ message = '' }: CoreEvent): string => message.trim();

/** (pkg/registry/core/event/strategy.go) */
export const eventSourceComponent = ({ source, reportingComponent }: CoreEvent): string =>
  source?.component || reportingComponent || '';
export const eventReportingController = ({ reportingComponent = '' }: CoreEvent): string => reportingComponent;
