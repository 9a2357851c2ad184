import type { KubeObject, Part } from '../../machinery/object.ts';

/** The phase of a volume or claim, unless it is on its way out. */
export const phaseOrTerminating = ({ metadata, status }: KubeObject): string =>
  metadata.deletionTimestamp ? 'Terminating' : (status?.phase ?? '');

const shortModes: readonly (readonly [string, string])[] = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
];

const accessModes = (modes: readonly string[] | undefined): string =>
  shortModes
    .filter(([mode]) => modes?.includes(mode))
    .map(([, short]) => short)
    .join(',');

export const volumeAccessModes = ({ spec }: KubeObject): string => accessModes(spec?.accessModes);
export const volumeCapacity = ({ spec }: KubeObject): string => spec?.capacity?.storage ?? '0';
export const volumeClaim = ({ spec }: KubeObject): string =>
  spec?.claimRef ? `${spec.claimRef.namespace ?? ''}/${spec.claimRef.name ?? ''}` : '';

/** A claim has no size and no modes before it has a volume. */
export const claimCapacity = ({ spec, status }: KubeObject): string =>
  spec?.volumeName ? (status?.capacity?.storage ?? '0') : '';
export const claimAccessModes = ({ spec, status }: KubeObject): string =>
  spec?.volumeName ? accessModes(status?.accessModes) : '';

/** The class of a volume or claim; the annotation is what came before the field. */
export const storageClassOf = ({ metadata, spec }: KubeObject): string =>
  metadata.annotations?.['volume.beta.kubernetes.io/storage-class'] ?? spec?.storageClassName ?? '';

const defaultClassAnnotations = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
];

export function nameOrDefaultClass({ metadata }: KubeObject): string {
  const isDefault = defaultClassAnnotations.some((annotation) => metadata.annotations?.[annotation] === 'true');
  return isDefault ? `${metadata.name} (default)` : (metadata.name ?? '');
}

export const storageClassExpansion = ({ allowVolumeExpansion }: KubeObject): boolean => allowVolumeExpansion ?? false;

export const csiDriverTokenRequests = ({ spec }: KubeObject): string =>
  spec?.tokenRequests === undefined
    ? '<unset>'
    : spec.tokenRequests.map(({ audience }: Part) => audience ?? '').join(',');
export const csiDriverModes = ({ spec }: KubeObject): string => spec?.volumeLifecycleModes?.join(',') || '<none>';
export const csiNodeDrivers = ({ spec }: KubeObject): number => spec?.drivers?.length ?? 0;
