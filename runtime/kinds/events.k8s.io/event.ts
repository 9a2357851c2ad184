import type { KubeObject, Part } from '../../machinery/object.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { labelKey as qualifiedName } from '../../machinery/validation/name-formats.ts';
import { eventCount, eventFirstSeen, eventLastSeen, eventObject, eventSource } from '../core/event.ts';
import { validateFormat } from '../validation/fields.ts';
import { toCoreEvent } from './conversion.ts';

/** (ValidateEventCreate) Events of the new API tell when, who, what and why. */
export function validateEventV1(event: Part, field: Field): void {
  const namespace = event.metadata?.namespace ?? '';
  const regarding = event.regarding?.namespace ?? '';
  const fits = regarding === '' ? namespace === '' || namespace === 'default' : namespace === regarding;
  if (!fits) field.child('involvedObject', 'namespace').invalid(regarding, 'does not match event.namespace');
  if (!event.eventTime) field.child('eventTime').required();
  if (!event.reportingController) field.child('reportingController').required();
  else validateFormat(event.reportingController, qualifiedName, field.child('reportingController'));
  for (const name of ['reportingInstance', 'action', 'reason']) {
    if (!event[name]) field.child(name).required();
    else if (event[name].length > 128) field.child(name).invalid('', 'can have at most 128 characters');
  }
  if (event.note?.length > 1024) field.child('message').invalid('', 'can have at most 1024 characters');
  if (event.type !== 'Normal' && event.type !== 'Warning') {
    field.child('type').invalid('', `has invalid value: ${event.type ?? ''}`);
  }
}

export const eventsFirstSeen = (event: KubeObject, now: number): string => eventFirstSeen(toCoreEvent(event), now);
export const eventsLastSeen = (event: KubeObject, now: number): string => eventLastSeen(toCoreEvent(event), now);
export const eventsCount = (event: KubeObject): number => eventCount(toCoreEvent(event));
export const eventsObject = (event: KubeObject): string => eventObject(toCoreEvent(event));
export const eventsSource = (event: KubeObject): string => eventSource(toCoreEvent(event));
export const eventsMessage = ({ note }: KubeObject): string => (note ?? '').trim();
export const eventsReportingController = ({ reportingController }: KubeObject): string => reportingController ?? '';
