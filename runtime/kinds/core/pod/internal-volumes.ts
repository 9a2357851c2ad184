import type { Shape } from '../../validation/internal-value.ts';
import { sharedVolumeSources } from '../shared-volume-sources.ts';

/** Volumes and their sources, as Go shows them in messages. (pkg/apis/core/types.go) */

const emptyDirVolumeSource: Shape = { medium: '', sizeLimit: null };
const gitRepoVolumeSource: Shape = { repository: '', revision: '', directory: '' };
const keyToPath: Shape = { key: '', path: '', mode: null };
const secretVolumeSource: Shape = { secretName: '', items: keyToPath, defaultMode: null, optional: null };
export const localObjectReference: Shape = { name: '' };
const shared = sharedVolumeSources(localObjectReference);
const persistentVolumeClaimVolumeSource: Shape = { claimName: '', readOnly: false };
export const objectFieldSelector: Shape = { apiVersion: '', fieldPath: '' };
export const resourceFieldSelector: Shape = { containerName: '', resource: '', divisor: '0' };
const downwardAPIVolumeFile: Shape = {
  path: '',
  fieldRef: objectFieldSelector,
  resourceFieldRef: resourceFieldSelector,
  mode: null,
};
const downwardAPIVolumeSource: Shape = { items: downwardAPIVolumeFile, defaultMode: null };
const configMapVolumeSource: Shape = { name: '', items: keyToPath, defaultMode: null, optional: null };
const secretProjection: Shape = { name: '', items: keyToPath, optional: null };
const downwardAPIProjection: Shape = { items: downwardAPIVolumeFile };
const configMapProjection: Shape = { name: '', items: keyToPath, optional: null };
const serviceAccountTokenProjection: Shape = { audience: '', expirationSeconds: 0, path: '' };
const clusterTrustBundleProjection: Shape = {
  name: null,
  signerName: null,
  labelSelector: null,
  optional: null,
  path: '',
};
const podCertificateProjection: Shape = {
  signerName: '',
  keyType: '',
  maxExpirationSeconds: null,
  credentialBundlePath: '',
  keyPath: '',
  certificateChainPath: '',
  userAnnotations: [],
};
const volumeProjection: Shape = {
  secret: secretProjection,
  downwardAPI: downwardAPIProjection,
  configMap: configMapProjection,
  serviceAccountToken: serviceAccountTokenProjection,
  clusterTrustBundle: clusterTrustBundleProjection,
  podCertificate: podCertificateProjection,
};
const projectedVolumeSource: Shape = { sources: volumeProjection, defaultMode: null };
const csiVolumeSource: Shape = {
  driver: '',
  readOnly: null,
  fsType: null,
  volumeAttributes: [],
  nodePublishSecretRef: localObjectReference,
};
const volumeResourceRequirements: Shape = { limits: [], requests: [] };
const typedLocalObjectReference: Shape = { apiGroup: null, kind: '', name: '' };
const typedObjectReference: Shape = { apiGroup: null, kind: '', name: '', namespace: null };
const persistentVolumeClaimSpec: Shape = {
  accessModes: null,
  selector: null,
  resources: [volumeResourceRequirements],
  volumeName: '',
  storageClassName: null,
  volumeMode: null,
  dataSource: typedLocalObjectReference,
  dataSourceRef: typedObjectReference,
  volumeAttributesClassName: null,
};
const persistentVolumeClaimTemplate: Shape = { spec: [persistentVolumeClaimSpec] };
const ephemeralVolumeSource: Shape = { volumeClaimTemplate: persistentVolumeClaimTemplate };
const imageVolumeSource: Shape = { reference: '', pullPolicy: '' };
export const volume: Shape = {
  name: '',
  hostPath: shared.hostPath,
  emptyDir: emptyDirVolumeSource,
  'gcePersistentDisk:GCEPersistentDisk': shared.gcePersistentDisk,
  'awsElasticBlockStore:AWSElasticBlockStore': shared.awsElasticBlockStore,
  gitRepo: gitRepoVolumeSource,
  secret: secretVolumeSource,
  'nfs:NFS': shared.nfs,
  'iscsi:ISCSI': shared.iscsi,
  glusterfs: shared.glusterfs,
  persistentVolumeClaim: persistentVolumeClaimVolumeSource,
  'rbd:RBD': shared.rbd,
  quobyte: shared.quobyte,
  flexVolume: { ...shared.flexVolume, options: [] },
  cinder: shared.cinder,
  'cephfs:CephFS': shared.cephfs,
  flocker: shared.flocker,
  downwardAPI: downwardAPIVolumeSource,
  'fc:FC': shared.fc,
  azureFile: shared.azureFile,
  configMap: configMapVolumeSource,
  vsphereVolume: shared.vsphereVolume,
  azureDisk: shared.azureDisk,
  photonPersistentDisk: shared.photonPersistentDisk,
  projected: projectedVolumeSource,
  portworxVolume: shared.portworxVolume,
  scaleIO: shared.scaleIO,
  'storageos:StorageOS': shared.storageos,
  csi: csiVolumeSource,
  ephemeral: ephemeralVolumeSource,
  image: imageVolumeSource,
};
