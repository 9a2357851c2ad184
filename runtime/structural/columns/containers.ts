import type { KubeObject, Part } from '../../machinery/object.ts';
import { formatLabels } from './label-selectors.ts';

const join = (podSpec: Part, field: 'name' | 'image'): string =>
  (podSpec?.containers ?? []).map((container: Part) => container[field] ?? '').join(',');

export const workloadContainers = (object: KubeObject): string => join(object.spec?.template?.spec, 'name');
export const workloadImages = (object: KubeObject): string => join(object.spec?.template?.spec, 'image');
export const cronJobContainers = (object: KubeObject): string =>
  join(object.spec?.jobTemplate?.spec?.template?.spec, 'name');
export const cronJobImages = (object: KubeObject): string =>
  join(object.spec?.jobTemplate?.spec?.template?.spec, 'image');
export const podTemplateContainers = (object: KubeObject): string => join(object.template?.spec, 'name');
export const podTemplateImages = (object: KubeObject): string => join(object.template?.spec, 'image');
export const podTemplateLabels = (object: KubeObject): string => formatLabels(object.template?.metadata?.labels);
export const daemonSetNodeSelector = (object: KubeObject): string =>
  formatLabels(object.spec?.template?.spec?.nodeSelector);
