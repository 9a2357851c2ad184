import type { Part } from '../../machinery/object.ts';

/**
 * Metrics of autoscaling/v2 and their older form, which autoscaling/v1 carries as JSON in annotations.
 * (pkg/apis/autoscaling/v1/conversion.go) Keys are in the order in which Go writes them.
 */
const defined = (object: Part): Part => {
  for (const key of Object.keys(object)) if (object[key] === undefined) delete object[key];
  return object;
};

/** The one metric that v1 has a field for. */
export const isCpuUtilization = ({ type, resource }: Part, side: 'target' | 'current'): boolean =>
  type === 'Resource' && resource?.name === 'cpu' && resource[side]?.averageUtilization !== undefined;

export function metricToV1({ type, object, pods, resource, containerResource, external }: Part): Part {
  return defined({
    type,
    object: object && {
      target: object.describedObject,
      ...defined({
        metricName: object.metric?.name ?? '',
        targetValue: object.target?.value ?? '0',
        selector: object.metric?.selector,
        averageValue: object.target?.averageValue,
      }),
    },
    pods:
      pods && namedV1(pods, { targetAverageValue: pods.target?.averageValue ?? '0', selector: pods.metric?.selector }),
    resource: resource && resourceToV1(resource, 'target'),
    containerResource: containerResource && resourceToV1(containerResource, 'target'),
    external:
      external &&
      namedV1(external, {
        metricSelector: external.metric?.selector,
        targetValue: external.target?.value,
        targetAverageValue: external.target?.averageValue,
      }),
  });
}

export function metricStatusToV1({ type, object, pods, resource, containerResource, external }: Part): Part {
  return defined({
    type,
    object: object && {
      target: object.describedObject,
      ...defined({
        metricName: object.metric?.name ?? '',
        currentValue: object.current?.value ?? '0',
        selector: object.metric?.selector,
        averageValue: object.current?.averageValue,
      }),
    },
    pods:
      pods &&
      namedV1(pods, { currentAverageValue: pods.current?.averageValue ?? '0', selector: pods.metric?.selector }),
    resource: resource && resourceToV1(resource, 'current'),
    containerResource: containerResource && resourceToV1(containerResource, 'current'),
    external:
      external &&
      namedV1(external, {
        metricSelector: external.metric?.selector,
        currentValue: external.current?.value ?? '0',
        currentAverageValue: external.current?.averageValue,
      }),
  });
}

const namedV1 = ({ metric }: Part, fields: Part): Part => defined({ metricName: metric?.name ?? '', ...fields });

const resourceToV1 = (source: Part, side: 'target' | 'current'): Part =>
  defined({
    name: source.name,
    [`${side}AverageUtilization`]: source[side]?.averageUtilization,
    [`${side}AverageValue`]: source[side]?.averageValue ?? (side === 'current' ? '0' : undefined),
    container: source.container,
  });

export function metricFromV1({ type, object, pods, resource, containerResource, external }: Part): Part {
  return defined({
    type,
    object: object && {
      describedObject: object.target,
      target: targetOf(object.averageValue, object.targetValue),
      metric: metricOf(object.metricName, object.selector),
    },
    pods: pods && {
      metric: metricOf(pods.metricName, pods.selector),
      target: { type: 'AverageValue', averageValue: pods.targetAverageValue ?? '0' },
    },
    resource: resource && resourceFromV1(resource),
    containerResource: containerResource && resourceFromV1(containerResource),
    external: external && {
      metric: metricOf(external.metricName, external.metricSelector),
      target:
        external.targetValue === undefined
          ? defined({ type: 'AverageValue', averageValue: external.targetAverageValue })
          : defined({ type: 'Value', value: external.targetValue, averageValue: external.targetAverageValue }),
    },
  });
}

export function metricStatusFromV1({ type, object, pods, resource, containerResource, external }: Part): Part {
  return defined({
    type,
    object: object && {
      metric: metricOf(object.metricName, object.selector),
      current: defined({ value: object.currentValue, averageValue: object.averageValue }),
      describedObject: object.target,
    },
    pods: pods && {
      metric: metricOf(pods.metricName, pods.selector),
      current: defined({ averageValue: pods.currentAverageValue }),
    },
    resource: resource && { name: resource.name, current: currentOf(resource) },
    containerResource: containerResource && {
      name: containerResource.name,
      current: currentOf(containerResource),
      container: containerResource.container ?? '',
    },
    external: external && {
      metric: metricOf(external.metricName, external.metricSelector),
      current: defined({ value: external.currentValue, averageValue: external.currentAverageValue }),
    },
  });
}

/** v1 has always a value, "0" where v2 has an average only. */
const targetOf = (averageValue: Part, value: Part): Part =>
  averageValue === undefined
    ? { type: 'Value', value: value ?? '0' }
    : defined({ type: 'AverageValue', value: value === '0' ? undefined : value, averageValue });

const metricOf = (name: Part, selector: Part): Part => defined({ name: name ?? '', selector });

const currentOf = ({ currentAverageUtilization, currentAverageValue }: Part): Part =>
  defined({ averageValue: currentAverageValue, averageUtilization: currentAverageUtilization });

const resourceFromV1 = ({ name, targetAverageUtilization, targetAverageValue, container }: Part): Part =>
  defined({
    name,
    target: defined({
      type: targetAverageUtilization === undefined ? 'AverageValue' : 'Utilization',
      averageValue: targetAverageValue,
      averageUtilization: targetAverageUtilization,
    }),
    container,
  });
