import type * as v2 from '../../../../generated/v1.35/autoscaling/v2/types.ts';
import { canonicalQuantity, compareQuantities, parseQuantity } from '../../../machinery/scalars/quantity.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import type { Field } from '../../../machinery/validation/field.ts';
import { dnsLabel } from '../../../machinery/validation/name-formats.ts';
import { pathSegment } from '../../../structural/formats.ts';
import { validateContainerResourceName } from '../../core/resource-list.ts';
import { validateFormat } from '../../validation/fields.ts';
import { type ReferenceOptions, validateCrossVersionObjectReference } from './object-reference.ts';

/** (pkg/apis/autoscaling/validation/validation.go) */

type MetricSpec = Unvalidated<v2.MetricSpec>;

/** The member for each type of metric. */
const metricSources = {
  ContainerResource: 'containerResource',
  External: 'external',
  Object: 'object',
  Pods: 'pods',
  Resource: 'resource',
} as const satisfies Readonly<Record<string, keyof MetricSpec>>;

const metricTypes = Object.keys(metricSources);
const sourceOf = (type: string): keyof MetricSpec | undefined =>
  Object.hasOwn(metricSources, type) ? metricSources[type as keyof typeof metricSources] : undefined;

/** Members in upstream's order. Only the first one that is present is validated. */
const sources = ['object', 'external', 'pods', 'resource', 'containerResource'] as const;

/** Upstream reports an unknown type twice. */
export function validateMetricSpec(metric: MetricSpec, field: Field, options: ReferenceOptions): void {
  const { type = '' } = metric;
  const expected = sourceOf(type);
  if (type === '') field.child('type').required('must specify a metric source type');
  if (expected === undefined) field.child('type').notSupported(type, metricTypes);
  const present = sources.filter((source) => metric[source] !== undefined);
  const [first] = present;
  if (first) validateSource(metric, first, field, options);
  if (expected === undefined) field.child('type').notSupported(type, metricTypes);
  else if (metric[expected] === undefined) {
    field.child(expected).required('must populate information for the given metric source');
  }
  if (present.length < 2) return;
  for (const source of present) {
    if (source !== expected) field.child(source).forbidden('must populate the given metric source only');
  }
}

function validateSource(metric: MetricSpec, source: (typeof sources)[number], field: Field, options: ReferenceOptions): void {
  const at = field.child(source);
  if (metric.object) validateObjectSource(metric.object, at, options);
  else if (metric.external) validateExternalSource(metric.external, at);
  else if (metric.pods) validatePodsSource(metric.pods, at);
  else if (metric.resource) validateResourceSource(metric.resource, at);
  else if (metric.containerResource) validateContainerResourceSource(metric.containerResource, at);
}

function validateObjectSource(
  { describedObject = {}, metric, target = {} }: Unvalidated<v2.ObjectMetricSource>,
  field: Field,
  options: ReferenceOptions,
): void {
  validateCrossVersionObjectReference(describedObject, field.child('describedObject'), options);
  validateMetricIdentifier(metric, field.child('metric'));
  validateMetricTarget(target, field.child('target'));
  if (target.value === undefined && target.averageValue === undefined) {
    field.child('target', 'averageValue').required('must set either a target value or averageValue');
  }
}

function validateExternalSource({ metric, target = {} }: Unvalidated<v2.ExternalMetricSource>, field: Field): void {
  validateMetricIdentifier(metric, field.child('metric'));
  const at = field.child('target');
  validateMetricTarget(target, at);
  if (target.value === undefined && target.averageValue === undefined) {
    at.child('averageValue').required('must set either a target value for metric or a per-pod target');
  }
  if (target.value !== undefined && target.averageValue !== undefined) {
    at.child('value').forbidden('may not set both a target value for metric and a per-pod target');
  }
}

function validatePodsSource({ metric, target = {} }: Unvalidated<v2.PodsMetricSource>, field: Field): void {
  validateMetricIdentifier(metric, field.child('metric'));
  validateMetricTarget(target, field.child('target'));
  if (target.averageValue === undefined) {
    field.child('target', 'averageValue').required('must specify a positive target averageValue');
  }
}

function validateContainerResourceSource(
  { name = '', container = '', target }: Unvalidated<v2.ContainerResourceMetricSource>,
  field: Field,
): void {
  if (name === '') field.child('name').required('must specify a resource name');
  else validateContainerResourceName(name, field.child('name'));
  if (container === '') field.child('container').required('must specify a container');
  else validateFormat(container, dnsLabel, field.child('container'));
  validateResourceTarget(target, field.child('target'));
}

function validateResourceSource({ name, target }: Unvalidated<v2.ResourceMetricSource>, field: Field): void {
  if (!name) field.child('name').required('must specify a resource name');
  validateResourceTarget(target, field.child('target'));
}

function validateResourceTarget(target: Unvalidated<v2.MetricTarget> = {}, field: Field): void {
  const { averageUtilization, averageValue } = target;
  validateMetricTarget(target, field);
  if (averageUtilization === undefined && averageValue === undefined) {
    field.child('averageUtilization').required('must set either a target raw value or a target utilization');
  }
  if (averageUtilization !== undefined && averageValue !== undefined) {
    field.child('averageValue').forbidden('may not set both a target raw value and a target utilization');
  }
}

function validateMetricTarget({ type = '', value, averageValue, averageUtilization }: Unvalidated<v2.MetricTarget>, field: Field): void {
  if (type === '') field.child('type').required('must specify a metric target type');
  if (type !== 'Utilization' && type !== 'Value' && type !== 'AverageValue') {
    field.child('type').invalid(type, 'must be either Utilization, Value, or AverageValue');
  }
  validatePositive(value, field.child('value'));
  validatePositive(averageValue, field.child('averageValue'));
  if (averageUtilization !== undefined && averageUtilization < 1) {
    field.child('averageUtilization').invalid(averageUtilization, 'must be greater than 0');
  }
}

const zero = parseQuantity('0');

function validatePositive(quantity: string | undefined, field: Field): void {
  if (quantity === undefined || compareQuantities(parseQuantity(quantity), zero) > 0) return;
  field.invalid(canonicalQuantity(quantity), 'must be positive');
}

function validateMetricIdentifier({ name = '' }: Unvalidated<v2.MetricIdentifier> = {}, field: Field): void {
  if (name === '') field.child('name').required('must specify a metric name');
  else validateFormat(name, pathSegment, field.child('name'));
}
