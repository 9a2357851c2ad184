import type { KubeObject } from '../../machinery/object.ts';

export const csiNodeDrivers = ({ spec }: KubeObject): number => spec?.drivers?.length ?? 0;
