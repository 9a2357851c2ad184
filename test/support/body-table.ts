import { codecEviction } from '../../generated/v1.35/policy/v1/codec.ts';
import { encodeEnvelope } from '../../runtime/codec/protobuf.ts';
import { writeMessage } from '../../runtime/machinery/protobuf/message-writer.ts';
import type { HttpClient } from './http-client.ts';

const pods = '/api/v1/namespaces/default/pods';
const eviction = `${pods}/x/eviction?dryRun=All`;
const events = '/apis/events.k8s.io/v1/namespaces/default/events';
const maps = '/api/v1/namespaces/default/configmaps?dryRun=All';
const json = 'application/json';

/** A request and kube-apiserver's response: the status, and the message, reason and group of a failure. */
export interface BodyRow {
  readonly name: string;
  readonly send: readonly [method: string, path: string, body: object | string | Uint8Array, contentType?: string];
  readonly want: {
    readonly status: number;
    readonly message?: string;
    readonly warning?: string;
    readonly details?: { readonly group?: string; readonly kind: string; readonly name?: string };
  };
}

const evicts = (apiVersion: string, more: object = {}): object => ({
  apiVersion,
  kind: 'Eviction',
  metadata: { name: 'x' },
  ...more,
});

function protobuf(apiVersion: string): Uint8Array {
  const eviction = { kind: 'Eviction', apiVersion, metadata: { name: 'x' } } as const;
  const message = writeMessage((writer) => codecEviction.encode(eviction, writer));
  return encodeEnvelope(apiVersion, 'Eviction', message);
}

const event = (more: object = {}): object => ({
  apiVersion: 'events.k8s.io/v1',
  kind: 'Event',
  metadata: { name: 'e' },
  eventTime: '2026-01-01T00:00:00.000000Z',
  action: 'A',
  reason: 'R',
  type: 'Normal',
  reportingController: 'acme.io/c',
  reportingInstance: 'i',
  regarding: { kind: 'Pod', name: 'x', namespace: 'default' },
  ...more,
});
const ofCore = (name: string) => ({ kind: 'Event', name });
const options = (apiVersion: string, kind = 'DeleteOptions'): object => ({ apiVersion, kind, gracePeriodSeconds: 3 });
const wrongVersion = 'does not match the expected API version';

/** Bodies that may have several versions, and errors about objects of two groups. */
export const bodyTable: readonly BodyRow[] = [
  { name: 'an eviction of policy/v1', send: ['POST', eviction, evicts('policy/v1')], want: { status: 201 } },
  { name: 'an eviction of policy/v1beta1', send: ['POST', eviction, evicts('policy/v1beta1')], want: { status: 201 } },
  {
    name: 'an eviction of policy/v1beta1 without a kind',
    send: ['POST', eviction, { apiVersion: 'policy/v1beta1', metadata: { name: 'x' } }],
    want: { status: 201 },
  },
  {
    name: 'an eviction without a version',
    send: ['POST', eviction, { kind: 'Eviction', metadata: { name: 'x' } }],
    want: { status: 201 },
  },
  {
    name: 'an eviction of policy/v1beta1 in YAML',
    send: ['POST', eviction, 'apiVersion: policy/v1beta1\nkind: Eviction\nmetadata: {name: x}\n', 'application/yaml'],
    want: { status: 201 },
  },
  {
    name: 'an eviction of policy/v1beta1 in protobuf',
    send: ['POST', eviction, protobuf('policy/v1beta1'), 'application/vnd.kubernetes.protobuf'],
    want: { status: 201 },
  },
  {
    name: 'an eviction of policy/v1 in protobuf',
    send: ['POST', eviction, protobuf('policy/v1'), 'application/vnd.kubernetes.protobuf'],
    want: { status: 201 },
  },
  {
    name: 'an eviction of policy/v1beta1 with options',
    send: ['POST', eviction, evicts('policy/v1beta1', { deleteOptions: { gracePeriodSeconds: 0 } })],
    want: { status: 201 },
  },
  {
    name: 'an eviction with options that are not valid',
    send: ['POST', eviction, evicts('policy/v1beta1', { deleteOptions: { propagationPolicy: 'Odd' } })],
    want: {
      status: 422,
      message:
        'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: "Odd": supported values: "Foreground", "Background", "Orphan", "nil"',
      details: { group: 'meta.k8s.io', kind: 'DeleteOptions' },
    },
  },
  {
    name: 'an eviction of policy/v1beta1 with an unknown field',
    send: ['POST', `${eviction}&fieldValidation=Strict`, evicts('policy/v1beta1', { odd: 1 })],
    want: {
      status: 400,
      message: 'Eviction in version "v1beta1" cannot be handled as a Eviction: strict decoding error: unknown field "odd"',
    },
  },
  {
    name: 'an eviction of policy/v1beta1 with an unknown field, which may be',
    send: ['POST', `${eviction}&fieldValidation=Warn`, evicts('policy/v1beta1', { odd: 1 })],
    want: { status: 201, warning: '299 - "unknown field \\"odd\\""' },
  },
  {
    name: 'an eviction of policy/v1beta1 for another pod',
    send: ['POST', eviction, evicts('policy/v1beta1', { metadata: { name: 'y' } })],
    want: { status: 400, message: 'name in URL does not match name in Eviction object' },
  },
  {
    name: 'a binding of another version',
    send: ['POST', `${pods}/x/binding?dryRun=All`, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x' } }],
    want: {
      status: 400,
      message: 'Pod in version "v1" cannot be handled as a Binding: converting (v1.Pod) to (core.Binding): unknown conversion',
    },
  },
  {
    name: 'a scale of another version',
    send: [
      'PUT',
      '/apis/apps/v1/namespaces/default/deployments/x/scale?dryRun=All',
      { apiVersion: 'autoscaling/v1', kind: 'HorizontalPodAutoscaler', metadata: { name: 'x', namespace: 'default' } },
    ],
    want: {
      status: 400,
      message:
        'HorizontalPodAutoscaler in version "v1" cannot be handled as a Scale: converting (v1.HorizontalPodAutoscaler) to (autoscaling.Scale): unknown conversion',
    },
  },
  {
    name: 'an event of the other group',
    send: ['POST', events, { apiVersion: 'v1', kind: 'Event', metadata: { name: 'e' } }],
    want: { status: 400, message: `the API version in the data (v1) ${wrongVersion} (events.k8s.io/v1)` },
  },
  ...['v1', 'policy/v1', 'apps/v1', 'meta.k8s.io/v1', 'acme.io/v9'].flatMap((apiVersion): BodyRow[] => [
    {
      name: `delete options of ${apiVersion}`,
      send: ['DELETE', maps, options(apiVersion)],
      want: { status: 200 },
    },
    {
      name: `delete options of ${apiVersion} without a kind`,
      send: ['DELETE', maps, options(apiVersion, '')],
      want: { status: 200 },
    },
  ]),
  {
    name: 'an event of events.k8s.io without a reason',
    send: ['POST', events, event({ reason: '' })],
    want: { status: 422, message: 'Event "e" is invalid: reason: Required value', details: ofCore('e') },
  },
  {
    name: 'an event of events.k8s.io of another type',
    send: ['POST', events, event({ type: 'Odd' })],
    want: {
      status: 422,
      message: 'Event "e" is invalid: type: Invalid value: "": has invalid value: Odd',
      details: ofCore('e'),
    },
  },
  {
    name: 'an event of events.k8s.io whose reason changes',
    send: ['PATCH', `${events}/known`, { reason: 'B' }, 'application/merge-patch+json'],
    want: {
      status: 422,
      message: 'Event "known" is invalid: reason: Invalid value: "B": field is immutable',
      details: ofCore('known'),
    },
  },
  {
    name: 'a deletion of an event of events.k8s.io with another uid',
    send: ['DELETE', `${events}/known?dryRun=All`, { preconditions: { uid: 'u' } }],
    want: {
      status: 409,
      message:
        'Operation cannot be fulfilled on Event "known": the UID in the precondition (u) does not match the UID in record ($uid). The object might have been deleted and then recreated',
      details: ofCore('known'),
    },
  },
  {
    name: 'an event of events.k8s.io that does not exist',
    send: ['DELETE', `${events}/absent`, {}],
    want: {
      status: 404,
      message: 'events.events.k8s.io "absent" not found',
      details: { name: 'absent', group: 'events.k8s.io', kind: 'events' },
    },
  },
];

/** Creates the objects of the rows. */
export async function prepareBodies(http: HttpClient): Promise<void> {
  const containers = [{ name: 'c', image: 'i' }];
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers } };
  const objects: readonly (readonly [path: string, object: object])[] = [
    ['/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } }],
    [pods, { metadata: { name: 'x' }, spec: { containers } }],
    [
      '/apis/apps/v1/namespaces/default/deployments',
      { metadata: { name: 'x' }, spec: { selector: { matchLabels: { a: 'b' } }, template } },
    ],
    [events, event({ metadata: { name: 'known' } })],
  ];
  for (const [path, object] of objects) {
    const { status, body } = await http.send('POST', path, JSON.stringify(object), json);
    if (status !== 201 && status !== 409) throw new Error(`${path} cannot be written: ${body}`);
  }
}

/** Sends the request of a row. */
export async function bodyOutcome(http: HttpClient, row: BodyRow): Promise<BodyRow['want']> {
  const [method, path, body, contentType = json] = row.send;
  const content = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
  const { status, headers, json: answer } = await http.send(method, path, content, contentType);
  const { warning } = headers;
  const seen = { status, ...(warning === undefined ? {} : { warning }) };
  if (status < 300) return seen;
  const { causes: _, uid: _uid, ...details } = answer.details ?? {};
  return {
    ...seen,
    message: answer.message.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, '$uid'),
    ...(Object.keys(details).length === 0 ? {} : { details }),
  };
}
