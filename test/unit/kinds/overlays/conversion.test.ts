import { expect, test } from '@jest/globals';
import { horizontalPodAutoscalerV1 } from '../../../../runtime/kinds/autoscaling/horizontal-pod-autoscaler/conversion.ts';
import { identity, sameShape } from '../../../../runtime/kinds/conversion.ts';
import { eventsV1 } from '../../../../runtime/kinds/events.k8s.io/conversion.ts';
import {
  resourceClaimTemplateV1beta1,
  resourceClaimV1beta1,
  resourceSliceV1beta1,
} from '../../../../runtime/kinds/resource.k8s.io/conversion.ts';
import type { TestObject } from '../../../support/test-object.ts';

test('types of the same shape differ only in their version', () => {
  const conversion = sameShape('networking.k8s.io/v1beta1', 'networking.k8s.io/v1');
  const object = { apiVersion: 'networking.k8s.io/v1beta1', metadata: {}, spec: { cidrs: ['10.0.0.0/8'] } };
  const stored = conversion.toStorage(object);
  expect(stored).toEqual({ ...object, apiVersion: 'networking.k8s.io/v1' });
  expect(conversion.fromStorage(stored)).toEqual(object);
  expect(identity.toStorage(object)).toBe(object);
});

test('an event of the new API is stored as a core event', () => {
  const event = {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { name: 'e' },
    eventTime: '2026-01-01T00:00:00.000000Z',
    regarding: { kind: 'Pod', name: 'p' },
    reportingController: 'x.io/c',
    reportingInstance: 'c-1',
    action: 'Bind',
    reason: 'Bound',
    note: 'done',
    type: 'Normal',
    deprecatedSource: { component: 'c' },
    deprecatedFirstTimestamp: null,
    deprecatedLastTimestamp: null,
    deprecatedCount: 2,
  };
  const stored = eventsV1.toStorage(event);
  expect(stored).toEqual({
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: 'e' },
    eventTime: '2026-01-01T00:00:00.000000Z',
    involvedObject: { kind: 'Pod', name: 'p' },
    reportingComponent: 'x.io/c',
    reportingInstance: 'c-1',
    action: 'Bind',
    reason: 'Bound',
    message: 'done',
    source: { component: 'c' },
    firstTimestamp: null,
    lastTimestamp: null,
    type: 'Normal',
    count: 2,
  });
  expect(eventsV1.fromStorage(stored)).toEqual(event);
});

const request = { name: 'r', deviceClassName: 'gpu', allocationMode: 'ExactCount', count: 1 };
const alternatives = { name: 's', deviceClassName: '', firstAvailable: [{ name: 'a', deviceClassName: 'gpu' }] };

test('requests of v1beta1 have the fields that v1 has below exactly', () => {
  const claim = {
    apiVersion: 'resource.k8s.io/v1beta1',
    metadata: {},
    spec: { devices: { requests: [request, alternatives] } },
  };
  const stored: TestObject = resourceClaimV1beta1.toStorage(claim);
  const { name, ...exactly } = request;
  const { deviceClassName: _, ...kept } = alternatives;
  expect(stored.spec.devices.requests).toEqual([{ name, exactly }, kept]);
  expect(resourceClaimV1beta1.fromStorage(stored)).toEqual(claim);
  const template = { ...claim, spec: { spec: claim.spec } };
  const storedTemplate: TestObject = resourceClaimTemplateV1beta1.toStorage(template);
  expect(storedTemplate.spec.spec.devices.requests).toEqual([{ name, exactly }, kept]);
  expect(resourceClaimTemplateV1beta1.fromStorage(storedTemplate)).toEqual(template);
});

test('an empty list of requests stays null', () => {
  const spec = { devices: { requests: null } };
  const claim = { apiVersion: 'resource.k8s.io/v1beta1', metadata: {}, spec };
  const stored: TestObject = resourceClaimV1beta1.toStorage(claim);
  expect(stored.spec).toEqual(spec);
  expect(resourceClaimV1beta1.fromStorage(stored)).toEqual(claim);
});

test.each([
  ['claim', resourceClaimV1beta1, [{ spec: {} }, { spec: { devices: null } }]],
  ['template', resourceClaimTemplateV1beta1, [{ spec: {} }, { spec: { spec: null } }, { spec: { spec: {} } }]],
  ['slice', resourceSliceV1beta1, [{ spec: {} }, { spec: { devices: null } }]],
])('a %s keeps fields that server-side apply left absent or null', (_, conversion, objects) => {
  for (const object of [{}, { spec: null }, ...objects]) {
    const original = { apiVersion: 'resource.k8s.io/v1beta1', metadata: {}, ...object };
    const stored = conversion.toStorage(original);
    expect(stored).toStrictEqual({ ...original, apiVersion: 'resource.k8s.io/v1' });
    expect(conversion.fromStorage(stored)).toStrictEqual(original);
  }
});

test.each([{}, { spec: null, status: null }, { spec: { metrics: null }, status: { currentMetrics: null } }])(
  'an autoscaler with the parts %j is converted both ways',
  (parts) => {
    const object = { apiVersion: 'autoscaling/v1', metadata: {}, ...parts };
    const stored = horizontalPodAutoscalerV1.toStorage(object);
    expect(stored.apiVersion).toBe('autoscaling/v2');
    expect(horizontalPodAutoscalerV1.fromStorage({ ...stored, ...parts }).apiVersion).toBe('autoscaling/v1');
  },
);

test('devices of v1beta1 are basic', () => {
  const device = { name: 'd', basic: { capacity: { 'x.io/m': { value: '1Gi' } } } };
  const slice = { apiVersion: 'resource.k8s.io/v1beta1', metadata: {}, spec: { driver: 'x.io', devices: [device] } };
  const stored: TestObject = resourceSliceV1beta1.toStorage(slice);
  expect(stored.spec.devices).toEqual([{ name: 'd', capacity: { 'x.io/m': { value: '1Gi' } } }]);
  expect(resourceSliceV1beta1.fromStorage(stored)).toEqual(slice);
});
