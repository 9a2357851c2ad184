import { parseGoBool } from '../../machinery/go-bool.ts';
import type { KubeObject } from '../../machinery/object.ts';

/** "true": the server keeps the spec as it was made; "false": the operator has taken it over. */
export const autoUpdateAnnotation = 'apf.kubernetes.io/autoupdate-spec';

/** What the annotation says; undefined where it is absent or no boolean. */
export function autoUpdateOf({ metadata }: KubeObject): boolean | undefined {
  const value = metadata.annotations?.[autoUpdateAnnotation];
  return value === undefined ? undefined : parseGoBool(value);
}
