import type { Container, Pod } from '../../../generated/v1.35/core/v1/types.ts';

/** Returns a container of any role. */
export function containerOf({ spec }: Pod, name: string): Container | undefined {
  const all = [...(spec?.initContainers ?? []), ...(spec?.containers ?? []), ...(spec?.ephemeralContainers ?? [])];
  return all.find((container) => container.name === name) as Container | undefined;
}
