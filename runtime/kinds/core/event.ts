import type { Event } from '../../../generated/v1.35/core/v1/types.ts';
import { ageOf } from '../../machinery/age.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import { Field } from '../../machinery/validation/field.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import type { RESTStrategy, WriteContext } from '../../resources/rest.ts';
import { toCoreEvent } from '../events.k8s.io/conversion.ts';
import { legacyValidateEvent, validateEventCreate, validateEventUpdate } from './event-validation.ts';

/** Events of both groups. They are stored as events of the core group. */

export interface EventStrategyOptions {
  /** Milliseconds from an event's last write to its deletion; 0 for never. Default: an hour. */
  readonly eventTTL?: number | undefined;
}

/** (pkg/registry/core/event: strategy.go, storage) */
export function newEventStrategy({ eventTTL = 3_600_000 }: EventStrategyOptions): RESTStrategy {
  const ttlSeconds = Math.floor(eventTTL / 1000);
  return {
    defaultGarbageCollectionPolicy: 'Unsupported',
    isUncached: true,
    ...(ttlSeconds === 0 ? {} : { ttlSeconds }),
    validateCreate(event, errors, context) {
      const field = Field.at(FieldPath.root, errors);
      if (isLegacy(context)) legacyValidateEvent(event, 'reportingComponent', field);
      else validateEventCreate(coreEvent(event), field);
    },
    validateUpdate(event, old, errors, context) {
      const field = Field.at(FieldPath.root, errors);
      if (isLegacy(context)) legacyValidateEvent(event, 'reportingComponent', field);
      else validateEventUpdate(coreEvent(event), coreEvent(old), field);
    },
  };
}

const isLegacy = ({ definition }: WriteContext): boolean => definition.group === '';

/** Returns the core event of an event of events.k8s.io. */
const coreEvent = (event: KubeObject): CoreEvent => toCoreEvent(event);

type CoreEvent = Unvalidated<Event>;

export const eventFirstSeen = ({ firstTimestamp, eventTime }: CoreEvent, now: number): string => ageOf(firstTimestamp || eventTime, now);

export function eventLastSeen(event: CoreEvent, now: number): string {
  if (event.series) return ageOf(event.series.lastObservedTime, now);
  return event.lastTimestamp ? ageOf(event.lastTimestamp, now) : eventFirstSeen(event, now);
}

/** Returns the number of occurrences. A single event of the newer API has no count. */
export const eventCount = ({ series, count }: CoreEvent): number => (series ? (series.count ?? 0) : count || 1);

/** Formats the object as `pod/nginx`. */
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
export const eventSourceComponent = ({ source, reportingComponent }: CoreEvent): string => source?.component || reportingComponent || '';
export const eventReportingController = ({ reportingComponent = '' }: CoreEvent): string => reportingComponent;
