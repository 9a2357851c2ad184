import type { Volume } from '../../../../generated/v1.35/core/v1/types.ts';
import { configMapNames, secretNames } from '../../../authorization/node/pod-references.ts';
import { quote } from '../../../machinery/go/quote.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import type { Pod } from '../../resources.ts';

type Source = Exclude<keyof Volume, 'name'>;

/** Volume sources, with the resources that they refer to; "" for sources outside the API. */
const volumeResources: Readonly<Record<Source, string>> = {
  awsElasticBlockStore: '',
  azureDisk: '',
  cephfs: '',
  cinder: '',
  downwardAPI: '',
  emptyDir: '',
  fc: '',
  flexVolume: '',
  flocker: '',
  gcePersistentDisk: '',
  gitRepo: '',
  hostPath: '',
  image: '',
  iscsi: '',
  nfs: '',
  photonPersistentDisk: '',
  portworxVolume: '',
  quobyte: '',
  rbd: '',
  scaleIO: '',
  storageos: '',
  vsphereVolume: '',
  configMap: 'configmaps (via configmap volumes)',
  secret: 'secrets (via secret volumes)',
  csi: 'csidrivers (via CSI volumes)',
  glusterfs: 'endpoints (via glusterFS volumes)',
  persistentVolumeClaim: 'persistentvolumeclaims',
  ephemeral: 'persistentvolumeclaims (via ephemeral volumes)',
  azureFile: 'secrets (via azureFile volumes)',
  projected: '',
};

const projectedResources = {
  configMap: 'configmaps (via projected volumes)',
  secret: 'secrets (via projected volumes)',
  serviceAccountToken: 'serviceaccounts (via projected volumes)',
  clusterTrustBundle: 'clustertrustbundles',
  podCertificate: 'podcertificates',
  downwardAPI: '',
} as const;

/** The resource of an object that a pod refers to ("" if there is none), or the reason why that is unknown. */
type Reference = { readonly resource: string } | { readonly unknown: string };

/** Finds an API object that a pod refers to. (pkg/api/pod/util.go HasAPIObjectReference) */
export function apiObjectReference(pod: Pod): Reference {
  const { serviceAccountName, resourceClaims, volumes = [] } = pod.spec ?? {};
  if (serviceAccountName) return { resource: 'serviceaccounts' };
  if (hasName(secretNames(pod))) return { resource: 'secrets' };
  if (hasName(configMapNames(pod))) return { resource: 'configmaps' };
  if (resourceClaims?.length) return { resource: 'resourceclaims' };
  for (const volume of volumes) {
    const reference = volumeReference(volume);
    if ('unknown' in reference || reference.resource !== '') return reference;
  }
  return { resource: '' };
}

function hasName(names: Iterable<string | undefined>): boolean {
  for (const name of names) if (name) return true;
  return false;
}

function volumeReference(volume: Unvalidated<Volume>): Reference {
  const source = (Object.keys(volumeResources) as Source[]).find((name) => volume[name] !== undefined);
  if (source === undefined) return { unknown: `unknown volume type for volume  ${quote(volume.name ?? '')}` };
  if (source !== 'projected') return { resource: volumeResources[source] };
  for (const projection of volume.projected?.sources ?? []) {
    const kind = (Object.keys(projectedResources) as (keyof typeof projectedResources)[]).find((name) => projection[name] !== undefined);
    if (kind === undefined) return { unknown: `unknown source for projected volume ${quote(volume.name ?? '')}` };
    if (projectedResources[kind] !== '') return { resource: projectedResources[kind] };
  }
  return { resource: '' };
}
