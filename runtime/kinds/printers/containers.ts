import type { KubeObject, Part } from '../../machinery/object.ts';

export const joinContainers = (podSpec: Part, field: 'name' | 'image'): string =>
  (podSpec?.containers ?? []).map((container: Part) => container[field] ?? '').join(',');

export const workloadContainers = (object: KubeObject): string => joinContainers(object.spec?.template?.spec, 'name');
export const workloadImages = (object: KubeObject): string => joinContainers(object.spec?.template?.spec, 'image');
