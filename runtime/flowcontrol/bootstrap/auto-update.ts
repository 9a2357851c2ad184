import type { KubeObject } from '../../machinery/object.ts';

/** "true": the server keeps the spec as it was made; "false": the operator has taken it over. */
export const autoUpdateAnnotation = 'apf.kubernetes.io/autoupdate-spec';

/** What the annotation says; undefined where it is absent or no boolean, as Go reads one. */
export function autoUpdateOf({ metadata }: KubeObject): boolean | undefined {
  const value = metadata.annotations?.[autoUpdateAnnotation];
  if (value === undefined) return undefined;
  if (['1', 't', 'T', 'TRUE', 'true', 'True'].includes(value)) return true;
  if (['0', 'f', 'F', 'FALSE', 'false', 'False'].includes(value)) return false;
  return undefined;
}
