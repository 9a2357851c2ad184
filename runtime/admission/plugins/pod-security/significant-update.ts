import type { Pod } from '../../resources.ts';

interface Container {
  readonly name?: string;
  readonly image?: string;
}

/** Reports whether an update of a pod can violate a policy: whether it changes images or adds containers. */
export function isSignificantPodUpdate({ spec = {} }: Pod, { spec: old = {} }: Pod): boolean {
  return (
    differInImages(spec.containers ?? [], old.containers ?? []) ||
    differInImages(spec.initContainers, old.initContainers) ||
    changesEphemeralContainers(spec.ephemeralContainers, old.ephemeralContainers)
  );
}

function differInImages(containers: readonly Container[] = [], old: readonly Container[] = []): boolean {
  return containers.length !== old.length || containers.some(({ image }, index) => image !== old[index]?.image);
}

function changesEphemeralContainers(containers: readonly Container[] = [], old: readonly Container[] = []): boolean {
  const images = new Map([...old].reverse().map(({ name = '', image }) => [name, { image }]));
  return containers.some(({ name = '', image }) => {
    const before = images.get(name);
    return before === undefined || before.image !== image;
  });
}
