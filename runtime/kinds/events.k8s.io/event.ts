import type { KubeObject, Part } from '../../machinery/object.ts';
import { invalid, required } from '../../machinery/validation/field-error.ts';
import type { FieldPath } from '../../machinery/validation/field-path.ts';
import { labelKey as qualifiedName } from '../../machinery/validation/name-formats.ts';
import { eventCount, eventFirstSeen, eventLastSeen, eventObject, eventSource } from '../core/event.ts';
import { type Errors, validateFormat } from '../validation/fields.ts';
import { toCoreEvent } from './conversion.ts';

/** (ValidateEventCreate) Events of the new API tell when, who, what and why. */
export function validateEventV1(event: Part, path: FieldPath, errors: Errors): void {
  const namespace = event.metadata?.namespace ?? '';
  const regarding = event.regarding?.namespace ?? '';
  const fits = regarding === '' ? namespace === '' || namespace === 'default' : namespace === regarding;
  if (!fits)
    errors.push(invalid(path.child('involvedObject', 'namespace'), regarding, 'does not match event.namespace'));
  if (!event.eventTime) errors.push(required(path.child('eventTime')));
  if (!event.reportingController) errors.push(required(path.child('reportingController')));
  else validateFormat(event.reportingController, qualifiedName, path.child('reportingController'), errors);
  for (const name of ['reportingInstance', 'action', 'reason']) {
    if (!event[name]) errors.push(required(path.child(name)));
    else if (event[name].length > 128) errors.push(invalid(path.child(name), '', 'can have at most 128 characters'));
  }
  if (event.note?.length > 1024) errors.push(invalid(path.child('message'), '', 'can have at most 1024 characters'));
  if (event.type !== 'Normal' && event.type !== 'Warning') {
    errors.push(invalid(path.child('type'), '', `has invalid value: ${event.type ?? ''}`));
  }
}

export const eventsFirstSeen = (event: KubeObject, now: number): string => eventFirstSeen(toCoreEvent(event), now);
export const eventsLastSeen = (event: KubeObject, now: number): string => eventLastSeen(toCoreEvent(event), now);
export const eventsCount = (event: KubeObject): number => eventCount(toCoreEvent(event));
export const eventsObject = (event: KubeObject): string => eventObject(toCoreEvent(event));
export const eventsSource = (event: KubeObject): string => eventSource(toCoreEvent(event));
export const eventsMessage = ({ note }: KubeObject): string => (note ?? '').trim();
export const eventsReportingController = ({ reportingController }: KubeObject): string => reportingController ?? '';
