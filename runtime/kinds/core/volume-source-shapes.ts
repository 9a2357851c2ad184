import type { Shape } from '../validation/internal-value.ts';
import { sharedVolumeSources } from './shared-volume-sources.ts';

/** Sources of persistent volumes as Go shows them. (pkg/apis/core/types.go) */

const secretReference: Shape = { name: '', namespace: '' };
export const objectReference: Shape = {
  kind: '',
  namespace: '',
  name: '',
  uid: '',
  apiVersion: '',
  resourceVersion: '',
  fieldPath: '',
};

const shared = sharedVolumeSources(secretReference);

export const persistentVolumeSource: Shape = {
  'gcePersistentDisk:GCEPersistentDisk': shared.gcePersistentDisk,
  'awsElasticBlockStore:AWSElasticBlockStore': shared.awsElasticBlockStore,
  hostPath: shared.hostPath,
  glusterfs: { ...shared.glusterfs, endpointsNamespace: null },
  'nfs:NFS': shared.nfs,
  'rbd:RBD': shared.rbd,
  quobyte: shared.quobyte,
  'iscsi:ISCSI': shared.iscsi,
  flexVolume: { ...shared.flexVolume, options: null },
  cinder: shared.cinder,
  'cephfs:CephFS': shared.cephfs,
  'fc:FC': shared.fc,
  flocker: shared.flocker,
  azureFile: { ...shared.azureFile, secretNamespace: null },
  vsphereVolume: shared.vsphereVolume,
  azureDisk: shared.azureDisk,
  photonPersistentDisk: shared.photonPersistentDisk,
  portworxVolume: shared.portworxVolume,
  scaleIO: shared.scaleIO,
  local: { path: '', fsType: null },
  'storageos:StorageOS': { ...shared.storageos, secretRef: objectReference },
  csi: {
    driver: '',
    volumeHandle: '',
    readOnly: false,
    fsType: '',
    volumeAttributes: null,
    controllerPublishSecretRef: secretReference,
    nodeStageSecretRef: secretReference,
    nodePublishSecretRef: secretReference,
    controllerExpandSecretRef: secretReference,
    nodeExpandSecretRef: secretReference,
  },
};
