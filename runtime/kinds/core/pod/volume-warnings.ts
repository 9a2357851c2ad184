import type * as core from '../../../../generated/v1.35/core/v1/types.ts';
import { quote } from '../../../machinery/go/quote.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import { addPersistentVolumeClaimSpecWarnings } from '../persistent-volume-claim.ts';
import { addOverlapWarnings, type FilePath, filePathsOf, type PathItem } from './volume-path-overlaps.ts';

type Volume = Unvalidated<core.Volume>;

/** Volume sources whose drivers are removed or deprecated. (warningsForVolume) */
const deprecatedSources: ReadonlyMap<string, string> = new Map([
  ['photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['gitRepo', 'deprecated in v1.11, and disabled by default in v1.33+'],
  ['scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['flocker', 'deprecated in v1.22, non-functional in v1.25+'],
  ['storageos', 'deprecated in v1.22, non-functional in v1.25+'],
  ['quobyte', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['rbd', 'deprecated in v1.28, non-functional in v1.31+'],
]);

/** Upstream spells one field differently from the API. */
const displayName = (field: string): string => (field === 'storageos' ? 'storageOS' : field);

/** @param path of the list of volumes */
export function addVolumeTypeWarnings(volumes: readonly Volume[], path: string, warnings: string[]): void {
  for (const [index, volume] of volumes.entries()) {
    for (const [field, source] of Object.entries(volume)) {
      if (!source) continue;
      const text = deprecatedSources.get(field);
      if (text !== undefined) warnings.push(`${path}[${index}].${displayName(field)}: ${text}`);
      if (field !== 'ephemeral') continue;
      const spec = volume.ephemeral?.volumeClaimTemplate?.spec;
      addPersistentVolumeClaimSpecWarnings(spec, `${path}[${index}].ephemeral.volumeClaimTemplate.spec`, warnings);
    }
  }
}

/** Sources in upstream's order. (pkg/api/persistentvolume/util.go) */
const deprecatedPersistentSources = [
  'cephfs',
  'photonPersistentDisk',
  'scaleIO',
  'storageos',
  'glusterfs',
  'rbd',
] as const satisfies readonly (keyof core.PersistentVolumeSpec)[];

export function addPersistentVolumeTypeWarnings(spec: Unvalidated<core.PersistentVolumeSpec>, warnings: string[]): void {
  for (const field of deprecatedPersistentSources) {
    if (spec[field]) warnings.push(`spec.${displayName(field)}: ${deprecatedSources.get(field)}`);
  }
}

/** Warns about files of a volume that overwrite or contain other files. (warningsForOverlappingVirtualPaths) */
export function addVolumePathWarnings(volumes: readonly Volume[], warnings: string[]): void {
  for (const { name = '', configMap, secret, downwardAPI, projected } of volumes) {
    const check = (items: readonly PathItem[] | undefined, source: () => string): void => {
      if (items === undefined || items.length < 2) return;
      addOverlapWarnings(filePathsOf(items), () => `volume ${quote(name)} (${source()})`, warnings);
    };
    check(configMap?.items, () => `ConfigMap ${quote(configMap?.name ?? '')}`);
    check(secret?.items, () => `Secret ${quote(secret?.secretName ?? '')}`);
    check(downwardAPI?.items, () => 'DownwardAPI');
    if (projected) addProjectionWarnings(name, projected, warnings);
  }
}

function addProjectionWarnings(name: string, { sources }: Unvalidated<core.ProjectedVolumeSource>, warnings: string[]): void {
  const volume = (): string => `volume ${quote(name)} (Projected)`;
  const paths: FilePath[] = [];
  for (const source of sources ?? []) {
    if (Object.values(source).every((projection) => projection === undefined || projection === null)) {
      warnings.push(`${volume()} has no sources provided`);
    } else paths.push(...projectedPaths(source));
  }
  if (paths.length > 1) addOverlapWarnings(paths, volume, warnings);
}

function projectedPaths(source: Unvalidated<core.VolumeProjection>): FilePath[] {
  const { configMap, secret, downwardAPI, serviceAccountToken: token, clusterTrustBundle: bundle } = source;
  if (configMap?.items) return filePathsOf(configMap.items, () => `ConfigMap ${quote(configMap.name ?? '')}`);
  if (secret?.items) return filePathsOf(secret.items, () => `Secret ${quote(secret.name ?? '')}`);
  if (downwardAPI?.items) return filePathsOf(downwardAPI.items, () => 'DownwardAPI');
  if (token) return filePathsOf([token], () => 'ServiceAccountToken');
  if (bundle) return filePathsOf([bundle], () => `ClusterTrustBundle ${quote(bundle.name ?? bundle.signerName ?? '')}`);
  if (!source.podCertificate) return [];
  const { certificateChainPath, keyPath, credentialBundlePath } = source.podCertificate;
  return [
    ...filePathsOf([{ path: certificateChainPath }], () => 'PodCertificate chain'),
    ...filePathsOf([{ path: keyPath }], () => 'PodCertificate key'),
    ...filePathsOf([{ path: credentialBundlePath }], () => 'PodCertificate credential bundle'),
  ].filter(({ path }) => path !== '');
}
