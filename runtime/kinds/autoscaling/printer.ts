import type { KubeObject, Part } from '../../machinery/object.ts';
import { autoscalerFromV1 } from './conversion.ts';

export const scaleTargetText = ({ spec }: KubeObject): string =>
  `${spec?.scaleTargetRef?.kind ?? ''}/${spec?.scaleTargetRef?.name ?? ''}`;
export const hpaMinPods = ({ spec }: KubeObject): string => String(spec?.minReplicas ?? '<unset>');

const shown = 2;
const unknown = '<unknown>';
/** A quantity that is not there, as Go prints it. */
const nil = '<nil>';

/** As `cpu: 3%/80%, 10/100 (avg)`. (pkg/printers/internalversion/printers.go, formatHPAMetrics) */
export function hpaTargets({ spec, status }: KubeObject): string {
  const metrics: readonly Part[] = spec?.metrics ?? [];
  if (metrics.length === 0) return '<none>';
  const texts = metrics.slice(0, shown).map((metric, index) => metricText(metric, status?.currentMetrics?.[index]));
  const more = metrics.length > shown ? ` + ${metrics.length - shown} more...` : '';
  return `${texts.join(', ')}${more}`;
}

export const hpaTargetsV1 = (object: KubeObject): string => hpaTargets(autoscalerFromV1(object));

function metricText(metric: Part, status: Part): string {
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

function valueText(source: Part, status: Part): string {
  const { averageValue, value } = source?.target ?? {};
  if (averageValue !== undefined) return `${status?.current?.averageValue ?? unknown}/${averageValue} (avg)`;
  return `${status ? (status.current?.value ?? nil) : unknown}/${value ?? nil}`;
}

function resourceText(source: Part, status: Part): string {
  const { averageValue, averageUtilization } = source?.target ?? {};
  const name = source?.name ?? '';
  if (averageValue !== undefined)
    return `${name}: ${status ? (status.current?.averageValue ?? nil) : unknown}/${averageValue}`;
  const current = status?.current?.averageUtilization;
  const currentText = current === undefined ? unknown : `${current}%`;
  return `${name}: ${currentText}/${averageUtilization === undefined ? '<auto>' : `${averageUtilization}%`}`;
}
