import type * as core from '../../../generated/v1.35/core/v1/types.ts';
import { equalPruned } from '../../machinery/json/equality.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { byteLength, dnsSubdomain, labelKey as qualifiedName } from '../../machinery/validation/name-formats.ts';
import { validateObjectMeta } from '../../resources/metadata-validation.ts';
import { immutableText, validateFormat } from '../validation/fields.ts';
import { internalStruct, type Shape } from '../validation/internal-value.ts';

/** Errors name the fields of events of the core group. (pkg/apis/core/validation/events.go) */

type Event = Unvalidated<core.Event>;
type TextName = 'reportingInstance' | 'action' | 'reason' | 'message';

const maxLength = 128;
const maxMessageLength = 1024;

/** (ValidateEventCreate, for events.k8s.io/v1) */
export function validateEventCreate(event: Event, field: Field): void {
  legacyValidateEvent(event, 'reportingController', field);
  // names of the core group's events need not be subdomains
  validateObjectMeta(event.metadata ?? {}, { nameRule: 'dns-subdomain', namespaced: true }, field.child('metadata'));
  validateV1EventSeries(event, field);
  if (!event.eventTime) field.child('eventTime').required();
  const { type = '' } = event;
  if (type !== 'Normal' && type !== 'Warning') field.child('type').invalid('', `has invalid value: ${type}`);
  for (const name of ['firstTimestamp', 'lastTimestamp', 'count'] as const) {
    if (event[name]) field.child(name).invalid('', 'needs to be unset');
  }
  if (event.source?.component || event.source?.host) field.child('source').invalid('', 'needs to be unset');
}

const reference: Shape = {
  kind: '',
  namespace: '',
  name: '',
  uid: '',
  apiVersion: '',
  resourceVersion: '',
  fieldPath: '',
};
const source: Shape = { component: '', host: '' };

/** Only the series may change. (ValidateEventUpdate, for events.k8s.io/v1) */
export function validateEventUpdate(event: Event, old: Event, field: Field): void {
  legacyValidateEvent(event, 'reportingController', field);
  if (!equalPruned(event.series, old.series)) validateV1EventSeries(event, field);
  const keep = (name: keyof Event, shown: unknown, at: string = name): void => {
    if (!equalPruned(event[name], old[name])) field.child(at).invalid(shown, immutableText);
  };
  keep('involvedObject', internalStruct(event.involvedObject, reference));
  keep('reason', event.reason ?? '');
  keep('message', event.message ?? '');
  keep('source', internalStruct(event.source, source));
  keep('firstTimestamp', event.firstTimestamp);
  keep('lastTimestamp', event.lastTimestamp);
  keep('count', event.count ?? 0);
  // upstream checks it twice
  keep('reason', event.reason ?? '');
  keep('type', event.type ?? '');
  keep('eventTime', event.eventTime);
  keep('action', event.action ?? '');
  keep('related', event.related && internalStruct(event.related, reference));
  keep('reportingComponent', event.reportingComponent ?? '', 'reportingController');
  keep('reportingInstance', event.reportingInstance ?? '');
}

function validateV1EventSeries({ series }: Event, field: Field): void {
  if (!series) return;
  if ((series.count ?? 0) < 2) field.child('series', 'count').invalid('', 'should be at least 2');
  if (!series.lastObservedTime) field.child('series', 'lastObservedTime').required();
}

/**
 * An event with an eventTime belongs to the newer API.
 *
 * @param controllerName the field of the reporting controller in the API of the request
 */
export function legacyValidateEvent(event: Event, controllerName: string, field: Field): void {
  const { metadata, involvedObject, eventTime } = event;
  const namespace = metadata?.namespace ?? '';
  const involved = involvedObject?.namespace ?? '';
  const isDefault = namespace === 'default' || (eventTime ? namespace === 'kube-system' : namespace === '');
  if (involved === '' ? !isDefault : !eventTime && namespace !== involved) {
    field.child('involvedObject', 'namespace').invalid(involved, 'does not match event.namespace');
  }
  if (eventTime) validateNewEvent(event, controllerName, field);
  for (const detail of dnsSubdomain(namespace)) field.child('namespace').invalid(namespace, detail);
}

function validateNewEvent(event: Event, controllerName: string, field: Field): void {
  const { reportingComponent = '' } = event;
  const controller = field.child(controllerName);
  if (reportingComponent === '') controller.required();
  validateFormat(reportingComponent, qualifiedName, controller);
  for (const name of ['reportingInstance', 'action', 'reason'] as const) {
    if (!event[name]) field.child(name).required();
    validateLength(event, name, maxLength, field);
  }
  validateLength(event, 'message', maxMessageLength, field);
}

function validateLength(event: Event, name: TextName, max: number, field: Field): void {
  if (byteLength(event[name] ?? '') > max) field.child(name).invalid('', `can have at most ${max} characters`);
}
