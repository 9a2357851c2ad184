import type {
  HorizontalPodAutoscaler,
  MetricIdentifier,
  MetricSpec,
  MetricStatus,
  MetricTarget,
  MetricValueStatus,
} from '../../../generated/v1.35/autoscaling/v2/types.ts';
import { goLabelSelector } from '../../machinery/go/label-selector.ts';
import { quote } from '../../machinery/go/quote.ts';
import { defined } from '../../machinery/json/defined.ts';
import { formatQuantity } from '../../machinery/scalars/quantity.ts';
import { everyLabel, type LabelSelector, labelSelectorFromObject } from '../../machinery/selectors/label-selector.ts';
import { type MetricsClient, milliValue } from './metrics-client.ts';
import type { Proposal, ReplicaCalculator, ScaledPods } from './replica-calculator.ts';
import type { ScaleTargets } from './scale-target.ts';

/** The replicas that one metric proposes. */
export interface ComputedMetric {
  readonly replicas: number;
  /** The name of the metric in events. */
  readonly name: string;
  readonly status: MetricStatus;
}

/** A metric that could not be computed. */
export class MetricError extends Error {
  /** The reason of the condition ScalingActive and of the event. */
  readonly reason: string;
  /** The message of the condition and the event. */
  readonly detail: string;

  constructor(reason: string, detail: string, message: string) {
    super(message);
    this.reason = reason;
    this.detail = detail;
  }
}

export function isMetricError(error: unknown): error is MetricError {
  return typeof error === 'object' && error !== null && typeof (error as MetricError).detail === 'string';
}

/** The pods and the replicas of a target. */
export interface TargetState extends ScaledPods {
  readonly statusReplicas: number;
  readonly selector: LabelSelector;
}

export interface MetricComputationOptions {
  readonly client: MetricsClient;
  readonly calculator: ReplicaCalculator;
  readonly targets: ScaleTargets;
}

type Computed = Omit<ComputedMetric, 'replicas'> & { readonly proposal: Proposal };

/** (computeReplicasForMetric in pkg/controller/podautoscaler/horizontal.go) */
export class MetricComputation {
  readonly #options: MetricComputationOptions;

  constructor(options: MetricComputationOptions) {
    this.#options = options;
  }

  /** @throws MetricError */
  async compute({ metadata }: HorizontalPodAutoscaler, spec: MetricSpec, state: TargetState): Promise<ComputedMetric> {
    const { namespace = '' } = metadata;
    const { reason, what, run } = this.#kindOf(spec, namespace, state);
    try {
      const { proposal, name, status } = await run();
      return { replicas: proposal.replicas, name, status };
    } catch (error) {
      const { message } = error as Error;
      throw new MetricError(reason, message, `failed to get ${what}: ${message}`);
    }
  }

  #kindOf(
    spec: MetricSpec,
    namespace: string,
    state: TargetState,
  ): { readonly reason: string; readonly what: string; run(): Promise<Computed> } {
    const { resource, containerResource, pods, object, external } = spec;
    if (resource !== undefined) {
      const what = `${resource.name} resource metric value`;
      const run = async (): Promise<Computed> => {
        const { current, ...computed } = await this.#resource(resource, undefined, namespace, state);
        return { ...computed, status: { type: 'Resource', resource: { name: resource.name, current } } };
      };
      return { reason: 'FailedGetResourceMetric', what, run };
    }
    if (containerResource !== undefined) {
      const { name, container } = containerResource;
      const run = async (): Promise<Computed> => {
        const { current, ...computed } = await this.#resource(containerResource, container, namespace, state);
        return { ...computed, status: { type: 'ContainerResource', containerResource: { name, container, current } } };
      };
      return { reason: 'FailedGetContainerResourceMetric', what: `${container} container metric value`, run };
    }
    if (pods !== undefined) {
      const run = async (): Promise<Computed> => {
        const { client, calculator } = this.#options;
        const { metric, target } = pods;
        const metrics = await client
          .rawMetric(metric.name, namespace, state.selector, selectorOf(metric))
          .catch(prefixed(`unable to get metric ${metric.name}`));
        const proposal = calculator.byAverage(metrics, state, milliValue(target.averageValue));
        const status = { type: 'Pods', pods: { metric, current: { averageValue: milliQuantity(proposal.usage) } } };
        return { proposal, name: `pods metric ${metric.name}`, status };
      };
      return { reason: 'FailedGetPodsMetric', what: 'pods metric value', run };
    }
    if (object !== undefined) {
      const { metric, target } = object;
      const isAverage = target.type === 'AverageValue';
      const what = `object metric value${isAverage ? `: failed to get ${metric.name} object metric` : ''}`;
      return { reason: 'FailedGetObjectMetric', what, run: () => this.#object(object, namespace, state) };
    }
    if (external !== undefined) {
      const { metric, target } = external;
      const failed = target.averageValue === undefined ? `external metric ${metric.name}` : `${metric.name} external metric`;
      const what = `${metric.name} external metric value: failed to get ${failed}`;
      return { reason: 'FailedGetExternalMetric', what, run: () => this.#external(external, namespace, state) };
    }
    throw new MetricError(
      'InvalidMetricSourceType',
      `unknown metric source type ${quote(spec.type)}`,
      `unknown metric source type ${quote(spec.type)}`,
    );
  }

  /** (computeStatusForResourceMetricGeneric) */
  async #resource(
    { name: resource, target }: { readonly name: string; readonly target: MetricTarget },
    container: string | undefined,
    namespace: string,
    state: TargetState,
  ): Promise<{ readonly proposal: Proposal; readonly name: string; readonly current: MetricValueStatus }> {
    const { client, calculator } = this.#options;
    const isAverage = target.averageValue !== undefined;
    const averageUtilization = target.averageUtilization;
    if (!isAverage && averageUtilization === undefined) {
      throw new Error('invalid resource metric source: neither an average utilization target nor an average value (usage) target was set');
    }
    const failing = prefixed(`failed to get ${resource} ${isAverage ? 'usage' : 'utilization'}`);
    const metrics = await client
      .resourceMetric(resource, namespace, state.selector, container)
      .catch(prefixed(`unable to get metrics for resource ${resource}`))
      .catch(failing);
    try {
      if (isAverage) {
        const proposal = calculator.byAverage(metrics, state, milliValue(target.averageValue), resource);
        const current = { averageValue: milliQuantity(proposal.usage, resource) };
        return { proposal, name: `${resource} resource`, current };
      }
      const wanted = { target: averageUtilization ?? 0, resource, container };
      const proposal = calculator.byUtilization(metrics, state, wanted);
      const averageValue = milliQuantity(proposal.usage, resource);
      const what = container === undefined ? 'resource' : 'container resource';
      const name = `${resource} ${what} utilization (percentage of request)`;
      return { proposal, name, current: defined({ averageUtilization: proposal.utilization, averageValue }) };
    } catch (error) {
      return failing(error as Error);
    }
  }

  /** (computeStatusForObjectMetric) */
  async #object(
    { describedObject, metric, target }: NonNullable<MetricSpec['object']>,
    namespace: string,
    state: TargetState,
  ): Promise<Computed> {
    const { client, calculator, targets } = this.#options;
    const about = { namespace, resource: targets.resourceOf(describedObject), name: describedObject.name };
    const { kind, name: objectName } = describedObject;
    const usage = await client.objectMetric(metric.name, about, selectorOf(metric)).catch((error: Error) => {
      throw new Error(`unable to get metric ${metric.name}: ${kind} on ${namespace} ${objectName}/${error.message}`);
    });
    const status = (current: MetricValueStatus): MetricStatus => ({
      type: 'Object',
      object: { describedObject, metric, current },
    });
    if (target.type === 'Value' && target.value !== undefined) {
      const proposal = calculator.byValue(usage, milliValue(target.value), state);
      const current = { value: milliQuantity(proposal.usage) };
      return { proposal, name: `${kind} metric ${metric.name}`, status: status(current) };
    }
    if (target.averageValue === undefined) {
      throw new Error('invalid object metric source: neither a value target nor an average value target was set');
    }
    const wanted = milliValue(target.averageValue);
    const proposal = calculator.byShare(usage, wanted, state.statusReplicas, state.tolerances);
    return { proposal, name: externalName(metric), status: status({ averageValue: milliQuantity(proposal.usage) }) };
  }

  /** (computeStatusForExternalMetric) */
  async #external({ metric, target }: NonNullable<MetricSpec['external']>, namespace: string, state: TargetState): Promise<Computed> {
    const { client, calculator } = this.#options;
    if (target.averageValue === undefined && target.value === undefined) {
      throw new Error('invalid external metric source: neither a value target nor an average value target was set');
    }
    const values = await client
      .externalMetric(metric.name, namespace, selectorOf(metric))
      .catch(prefixed(`unable to get external metric ${namespace}/${metric.name}/${selectorName(metric)}`));
    const usage = values.reduce((sum, value) => sum + value, 0);
    const status = (current: MetricValueStatus): MetricStatus => ({ type: 'External', external: { metric, current } });
    const name = externalName(metric);
    if (target.averageValue !== undefined) {
      const wanted = milliValue(target.averageValue);
      const proposal = calculator.byShare(usage, wanted, state.statusReplicas, state.tolerances);
      return { proposal, name, status: status({ averageValue: milliQuantity(proposal.usage) }) };
    }
    const proposal = calculator.byValue(usage, milliValue(target.value), state);
    return { proposal, name, status: status({ value: milliQuantity(proposal.usage) }) };
  }
}

const prefixed =
  (words: string) =>
  (error: Error): never => {
    throw new Error(`${words}: ${error.message}`, { cause: error });
  };

/** Returns the selector. An absent one selects all values. */
const selectorOf = ({ selector }: MetricIdentifier): LabelSelector =>
  selector === undefined ? everyLabel : labelSelectorFromObject(selector);

const selectorName = ({ selector }: MetricIdentifier): string => (selector ? goLabelSelector(selector) : 'nil');

const externalName = (metric: MetricIdentifier): string => `external metric ${metric.name}(${selectorName(metric)})`;

/** Formats a quantity. Memory is shown in Ki and Mi. (buildQuantity) */
function milliQuantity(value: number, resource = ''): string {
  const format = resource === 'memory' ? 'BinarySI' : 'DecimalSI';
  return formatQuantity({ unscaled: BigInt(Math.trunc(value)), scale: -3, format });
}
