import type * as v1 from '../../../../generated/v1.35/autoscaling/v1/types.ts';
import type * as v2 from '../../../../generated/v1.35/autoscaling/v2/types.ts';
import type { LabelSelector } from '../../../../generated/v1.35/meta/v1/types.ts';
import { defined } from '../../../machinery/json/defined.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';

/**
 * Conversion of metrics between autoscaling/v2 and autoscaling/v1, which stores them as JSON in annotations. Members
 * are in Go's order. (pkg/apis/autoscaling/v1/conversion.go)
 */

/** Returns the target utilization of a CPU metric; undefined for other metrics. */
export const targetCPUUtilization = ({ type, resource }: Unvalidated<v2.MetricSpec>): number | undefined =>
  type === 'Resource' && resource?.name === 'cpu' ? resource.target?.averageUtilization : undefined;

/** Returns the current utilization of a CPU metric; undefined for other metrics. */
export const currentCPUUtilization = ({ type, resource }: Unvalidated<v2.MetricStatus>): number | undefined =>
  type === 'Resource' && resource?.name === 'cpu' ? resource.current?.averageUtilization : undefined;

export function metricToV1(metric: Unvalidated<v2.MetricSpec>): Unvalidated<v1.MetricSpec> {
  const { type, object, pods, resource, containerResource, external } = metric;
  return defined({
    type,
    object:
      object &&
      defined({
        target: object.describedObject,
        metricName: object.metric?.name ?? '',
        targetValue: object.target?.value ?? '0',
        selector: object.metric?.selector,
        averageValue: object.target?.averageValue,
      }),
    pods:
      pods &&
      defined({
        metricName: pods.metric?.name ?? '',
        targetAverageValue: pods.target?.averageValue ?? '0',
        selector: pods.metric?.selector,
      }),
    resource: resource && resourceMetricToV1(resource),
    containerResource: containerResource && resourceMetricToV1(containerResource),
    external:
      external &&
      defined({
        metricName: external.metric?.name ?? '',
        metricSelector: external.metric?.selector,
        targetValue: external.target?.value,
        targetAverageValue: external.target?.averageValue,
      }),
  });
}

const resourceMetricToV1 = ({
  name,
  target,
  container,
}: Unvalidated<v2.ContainerResourceMetricSource>): Unvalidated<v1.ContainerResourceMetricSource> =>
  defined({
    name,
    targetAverageUtilization: target?.averageUtilization,
    targetAverageValue: target?.averageValue,
    container,
  });

export function metricStatusToV1(status: Unvalidated<v2.MetricStatus>): Unvalidated<v1.MetricStatus> {
  const { type, object, pods, resource, containerResource, external } = status;
  return defined({
    type,
    object:
      object &&
      defined({
        target: object.describedObject,
        metricName: object.metric?.name ?? '',
        currentValue: object.current?.value ?? '0',
        selector: object.metric?.selector,
        averageValue: object.current?.averageValue,
      }),
    pods:
      pods &&
      defined({
        metricName: pods.metric?.name ?? '',
        currentAverageValue: pods.current?.averageValue ?? '0',
        selector: pods.metric?.selector,
      }),
    resource: resource && resourceStatusToV1(resource),
    containerResource: containerResource && resourceStatusToV1(containerResource),
    external:
      external &&
      defined({
        metricName: external.metric?.name ?? '',
        metricSelector: external.metric?.selector,
        currentValue: external.current?.value ?? '0',
        currentAverageValue: external.current?.averageValue,
      }),
  });
}

const resourceStatusToV1 = ({
  name,
  current,
  container,
}: Unvalidated<v2.ContainerResourceMetricStatus>): Unvalidated<v1.ContainerResourceMetricStatus> =>
  defined({
    name,
    currentAverageUtilization: current?.averageUtilization,
    currentAverageValue: current?.averageValue ?? '0',
    container,
  });

export function metricFromV1(metric: Unvalidated<v1.MetricSpec>): Unvalidated<v2.MetricSpec> {
  const { type = '', object, pods, resource, containerResource, external } = metric;
  return defined({
    type,
    object: object && {
      describedObject: describedObject(object),
      target: objectTarget(object),
      metric: metricIdentifier(object.metricName, object.selector),
    },
    pods: pods && {
      metric: metricIdentifier(pods.metricName, pods.selector),
      target: { type: 'AverageValue', averageValue: pods.targetAverageValue ?? '0' },
    },
    resource: resource && resourceMetricFromV1(resource),
    containerResource: containerResource && {
      ...resourceMetricFromV1(containerResource),
      container: containerResource.container ?? '',
    },
    external: external && {
      metric: metricIdentifier(external.metricName, external.metricSelector),
      target: externalTarget(external),
    },
  });
}

/**
 * A target of v1 always has a value. For an average without a value it is "0", which upstream keeps and then refuses.
 */
const objectTarget = ({ averageValue, targetValue: value = '0' }: Unvalidated<v1.ObjectMetricSource>): Unvalidated<v2.MetricTarget> =>
  averageValue === undefined ? { type: 'Value', value } : { type: 'AverageValue', value, averageValue };

const externalTarget = ({
  targetValue,
  targetAverageValue: averageValue,
}: Unvalidated<v1.ExternalMetricSource>): Unvalidated<v2.MetricTarget> =>
  targetValue === undefined
    ? defined({ type: 'AverageValue', averageValue })
    : defined({ type: 'Value', value: targetValue, averageValue });

const metricIdentifier = (name: string | undefined, selector: Unvalidated<LabelSelector> | undefined): Unvalidated<v2.MetricIdentifier> =>
  defined({ name: name ?? '', selector });

const resourceMetricFromV1 = ({
  name = '',
  targetAverageUtilization,
  targetAverageValue,
}: Unvalidated<v1.ResourceMetricSource>): Unvalidated<v2.ResourceMetricSource> => ({
  name,
  target: defined({
    type: targetAverageUtilization === undefined ? 'AverageValue' : 'Utilization',
    averageValue: targetAverageValue,
    averageUtilization: targetAverageUtilization,
  }),
});

const describedObject = ({
  target: { kind = '', name = '', apiVersion } = {},
}: Pick<Unvalidated<v1.ObjectMetricSource>, 'target'>): Unvalidated<v2.CrossVersionObjectReference> => defined({ kind, name, apiVersion });

export function metricStatusFromV1(status: Unvalidated<v1.MetricStatus>): Unvalidated<v2.MetricStatus> {
  const { type = '', object, pods, resource, containerResource, external } = status;
  return defined({
    type,
    object: object && {
      metric: metricIdentifier(object.metricName, object.selector),
      current: defined({ value: object.currentValue ?? '0', averageValue: object.averageValue }),
      describedObject: describedObject(object),
    },
    pods: pods && {
      metric: metricIdentifier(pods.metricName, pods.selector),
      current: { averageValue: pods.currentAverageValue ?? '0' },
    },
    resource: resource && { name: resource.name ?? '', current: currentResource(resource) },
    containerResource: containerResource && {
      name: containerResource.name ?? '',
      current: currentResource(containerResource),
      container: containerResource.container ?? '',
    },
    external: external && {
      metric: metricIdentifier(external.metricName, external.metricSelector),
      current: defined({ value: external.currentValue ?? '0', averageValue: external.currentAverageValue }),
    },
  });
}

const currentResource = ({
  currentAverageUtilization,
  currentAverageValue,
}: Unvalidated<v1.ResourceMetricStatus>): Unvalidated<v2.MetricValueStatus> =>
  defined({ averageValue: currentAverageValue ?? '0', averageUtilization: currentAverageUtilization });
