import type { KubeObject } from '../../machinery/object.ts';

export const migrationResource = ({ spec }: KubeObject): string =>
  `${spec?.resource?.resource ?? ''}.${spec?.resource?.group ?? ''}`;
