import type * as v1 from '../../../../generated/v1.35/autoscaling/v1/types.ts';
import type * as v2 from '../../../../generated/v1.35/autoscaling/v2/types.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import { type HorizontalPodAutoscaler, originOf } from './conversion.ts';

/** Columns of horizontal pod autoscalers. (pkg/printers/internalversion/printers.go, printHorizontalPodAutoscaler) */

type AnyVersion = Unvalidated<v1.HorizontalPodAutoscaler> | HorizontalPodAutoscaler;

export const scaleTargetText = ({ spec }: AnyVersion): string => `${spec?.scaleTargetRef?.kind ?? ''}/${spec?.scaleTargetRef?.name ?? ''}`;
export const hpaMinPods = ({ spec }: AnyVersion): string => String(spec?.minReplicas ?? '<unset>');

const maxPrintedMetrics = 2;
const unknown = '<unknown>';
/** Go's text for a nil quantity. */
const nil = '<nil>';

/** Formats the metrics, as `cpu: 3%/80%, 10/100 (avg)`. (formatHPAMetrics) */
export function hpaTargets({ spec, status }: HorizontalPodAutoscaler): string {
  const metrics = spec?.metrics ?? [];
  if (metrics.length === 0) return '<none>';
  const texts = metrics.slice(0, maxPrintedMetrics).map((metric, index) => metricText(metric, status?.currentMetrics?.[index]));
  const more = metrics.length > maxPrintedMetrics ? ` + ${metrics.length - maxPrintedMetrics} more...` : '';
  return `${texts.join(', ')}${more}`;
}

export const hpaTargetsV1 = (autoscaler: v1.HorizontalPodAutoscaler): string => hpaTargets(originOf(autoscaler));

function metricText(metric: Unvalidated<v2.MetricSpec>, status: Unvalidated<v2.MetricStatus> | undefined): string {
  switch (metric.type) {
    case 'External':
      return valueText(metric.external, status?.external);
    case 'Object':
      return valueText(metric.object, status?.object);
    case 'Pods':
      return `${status?.pods ? (status.pods.current?.averageValue ?? nil) : unknown}/${metric.pods?.target?.averageValue ?? nil}`;
    case 'Resource':
      return resourceText(metric.resource, status?.resource);
    case 'ContainerResource':
      return resourceText(metric.containerResource, status?.containerResource);
    default:
      return '<unknown type>';
  }
}

interface Source {
  readonly name?: string;
  readonly target?: Unvalidated<v2.MetricTarget>;
}

interface Status {
  readonly current?: Unvalidated<v2.MetricValueStatus>;
}

function valueText(source: Source | undefined, status: Status | undefined): string {
  const { averageValue, value } = source?.target ?? {};
  if (averageValue !== undefined) return `${status?.current?.averageValue ?? unknown}/${averageValue} (avg)`;
  return `${status ? (status.current?.value ?? nil) : unknown}/${value ?? nil}`;
}

function resourceText(source: Source | undefined, status: Status | undefined): string {
  const { averageValue, averageUtilization } = source?.target ?? {};
  const name = source?.name ?? '';
  if (averageValue !== undefined) {
    return `${name}: ${status ? (status.current?.averageValue ?? nil) : unknown}/${averageValue}`;
  }
  const current = status?.current?.averageUtilization;
  const currentText = current === undefined ? unknown : `${current}%`;
  return `${name}: ${currentText}/${averageUtilization === undefined ? '<auto>' : `${averageUtilization}%`}`;
}
