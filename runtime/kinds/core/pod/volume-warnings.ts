import { quote } from '../../../machinery/go/quote.ts';
import type { Part } from '../../../machinery/object.ts';
import { addPersistentVolumeClaimSpecWarnings } from '../persistent-volume-claim.ts';
import { addOverlapWarnings, type Place, placesOf } from './volume-path-overlaps.ts';

/** Kinds of volumes whose drivers are gone or go, by field; ephemeral ones are looked into. */
const retired: ReadonlyMap<string, string> = new Map([
  ['photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['gitRepo', 'deprecated in v1.11, and disabled by default in v1.33+'],
  ['scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['flocker', 'deprecated in v1.22, non-functional in v1.25+'],
  ['storageos', 'deprecated in v1.22, non-functional in v1.25+'],
  ['quobyte', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['ephemeral', ''],
  ['cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['rbd', 'deprecated in v1.28, non-functional in v1.31+'],
]);

/** Upstream writes one field otherwise than the API does. */
const shown = (field: string): string => (field === 'storageos' ? 'storageOS' : field);

/** Of the kinds of a pod's volumes. `path` is that of the list. */
export function addVolumeTypeWarnings(volumes: readonly Part[], path: string, warnings: string[]): void {
  for (const [index, volume] of volumes.entries()) {
    for (const field of Object.keys(volume)) {
      const why = retired.get(field);
      if (why === undefined || !volume[field]) continue;
      if (field !== 'ephemeral') warnings.push(`${path}[${index}].${shown(field)}: ${why}`);
      else {
        const spec = volume.ephemeral.volumeClaimTemplate?.spec;
        addPersistentVolumeClaimSpecWarnings(spec, `${path}[${index}].ephemeral.volumeClaimTemplate.spec`, warnings);
      }
    }
  }
}

/** Kinds of PersistentVolumes likewise. (pkg/api/persistentvolume/util.go) */
const retiredPersistent = ['cephfs', 'photonPersistentDisk', 'scaleIO', 'storageos', 'glusterfs', 'rbd'];

export function addPersistentVolumeTypeWarnings(spec: Part, warnings: string[]): void {
  for (const field of retiredPersistent) {
    if (spec[field]) warnings.push(`spec.${shown(field)}: ${retired.get(field)}`);
  }
}

/** Files of a volume that would be written over each other, or into each other. */
export function addVolumePathWarnings(volumes: readonly Part[], warnings: string[]): void {
  for (const { name, configMap, secret, downwardAPI, projected } of volumes) {
    const check = (items: Part, what: () => string): void => {
      if (items?.length > 1) addOverlapWarnings(placesOf(items), () => `volume ${quote(name)} (${what()})`, warnings);
    };
    check(configMap?.items, () => `ConfigMap ${quote(configMap.name ?? '')}`);
    check(secret?.items, () => `Secret ${quote(secret.secretName ?? '')}`);
    check(downwardAPI?.items, () => 'DownwardAPI');
    if (projected) addProjectionWarnings(name, projected, warnings);
  }
}

function addProjectionWarnings(name: string, { sources }: Part, warnings: string[]): void {
  const what = (): string => `volume ${quote(name)} (Projected)`;
  const places: Place[] = [];
  for (const source of sources ?? []) {
    if (Object.values(source).every((part) => part === undefined || part === null)) {
      warnings.push(`${what()} has no sources provided`);
    } else places.push(...projectedPlaces(source));
  }
  if (places.length > 1) addOverlapWarnings(places, what, warnings);
}

function projectedPlaces(source: Part): Place[] {
  const { configMap, secret, downwardAPI, serviceAccountToken: token, clusterTrustBundle: bundle } = source;
  if (configMap?.items) return placesOf(configMap.items, () => `ConfigMap ${quote(configMap.name ?? '')}`);
  if (secret?.items) return placesOf(secret.items, () => `Secret ${quote(secret.name ?? '')}`);
  if (downwardAPI?.items) return placesOf(downwardAPI.items, () => 'DownwardAPI');
  if (token) return placesOf([token], () => 'ServiceAccountToken');
  if (bundle) return placesOf([bundle], () => `ClusterTrustBundle ${quote(bundle.name ?? bundle.signerName ?? '')}`);
  if (!source.podCertificate) return [];
  const { certificateChainPath, keyPath, credentialBundlePath } = source.podCertificate;
  return [
    ...placesOf([{ path: certificateChainPath }], () => 'PodCertificate chain'),
    ...placesOf([{ path: keyPath }], () => 'PodCertificate key'),
    ...placesOf([{ path: credentialBundlePath }], () => 'PodCertificate credential bundle'),
  ].filter(({ path }) => path !== '');
}
