import type { Shape } from '../../validation/internal-value.ts';

/** Volumes and their sources, as Go shows them in messages. (pkg/apis/core/types.go) */

const hostPathVolumeSource: Shape = { path: '', type: null };
const emptyDirVolumeSource: Shape = { medium: '', sizeLimit: null };
const gcePersistentDiskVolumeSource: Shape = { 'pdName:PDName': '', fsType: '', partition: 0, readOnly: false };
const awsElasticBlockStoreVolumeSource: Shape = { volumeID: '', fsType: '', partition: 0, readOnly: false };
const gitRepoVolumeSource: Shape = { repository: '', revision: '', directory: '' };
const keyToPath: Shape = { key: '', path: '', mode: null };
const secretVolumeSource: Shape = { secretName: '', items: keyToPath, defaultMode: null, optional: null };
const nfsVolumeSource: Shape = { server: '', path: '', readOnly: false };
export const localObjectReference: Shape = { name: '' };
const iscsiVolumeSource: Shape = {
  targetPortal: '',
  'iqn:IQN': '',
  lun: 0,
  'iscsiInterface:ISCSIInterface': '',
  fsType: '',
  readOnly: false,
  portals: null,
  'chapAuthDiscovery:DiscoveryCHAPAuth': false,
  'chapAuthSession:SessionCHAPAuth': false,
  secretRef: localObjectReference,
  initiatorName: null,
};
const glusterfsVolumeSource: Shape = { 'endpoints:EndpointsName': '', path: '', readOnly: false };
const persistentVolumeClaimVolumeSource: Shape = { claimName: '', readOnly: false };
const rbdVolumeSource: Shape = {
  'monitors:CephMonitors': null,
  'image:RBDImage': '',
  fsType: '',
  'pool:RBDPool': '',
  'user:RadosUser': '',
  keyring: '',
  secretRef: localObjectReference,
  readOnly: false,
};
const quobyteVolumeSource: Shape = { registry: '', volume: '', readOnly: false, user: '', group: '', tenant: '' };
const flexVolumeSource: Shape = {
  driver: '',
  fsType: '',
  secretRef: localObjectReference,
  readOnly: false,
  options: [],
};
const cinderVolumeSource: Shape = { volumeID: '', fsType: '', readOnly: false, secretRef: localObjectReference };
const cephFSVolumeSource: Shape = {
  monitors: null,
  path: '',
  user: '',
  secretFile: '',
  secretRef: localObjectReference,
  readOnly: false,
};
const flockerVolumeSource: Shape = { datasetName: '', datasetUUID: '' };
export const objectFieldSelector: Shape = { apiVersion: '', fieldPath: '' };
export const resourceFieldSelector: Shape = { containerName: '', resource: '', divisor: '0' };
const downwardAPIVolumeFile: Shape = {
  path: '',
  fieldRef: objectFieldSelector,
  resourceFieldRef: resourceFieldSelector,
  mode: null,
};
const downwardAPIVolumeSource: Shape = { items: downwardAPIVolumeFile, defaultMode: null };
const fcVolumeSource: Shape = { targetWWNs: null, lun: null, fsType: '', readOnly: false, 'wwids:WWIDs': null };
const azureFileVolumeSource: Shape = { secretName: '', shareName: '', readOnly: false };
const configMapVolumeSource: Shape = { name: '', items: keyToPath, defaultMode: null, optional: null };
const vsphereVirtualDiskVolumeSource: Shape = {
  volumePath: '',
  fsType: '',
  storagePolicyName: '',
  storagePolicyID: '',
};
const azureDiskVolumeSource: Shape = {
  diskName: '',
  'diskURI:DataDiskURI': '',
  cachingMode: null,
  fsType: null,
  readOnly: null,
  kind: null,
};
const photonPersistentDiskVolumeSource: Shape = { pdID: '', fsType: '' };
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
const portworxVolumeSource: Shape = { volumeID: '', fsType: '', readOnly: false };
const scaleIOVolumeSource: Shape = {
  gateway: '',
  system: '',
  secretRef: localObjectReference,
  'sslEnabled:SSLEnabled': false,
  protectionDomain: '',
  storagePool: '',
  storageMode: '',
  volumeName: '',
  fsType: '',
  readOnly: false,
};
const storageOSVolumeSource: Shape = {
  volumeName: '',
  volumeNamespace: '',
  fsType: '',
  readOnly: false,
  secretRef: localObjectReference,
};
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
  hostPath: hostPathVolumeSource,
  emptyDir: emptyDirVolumeSource,
  'gcePersistentDisk:GCEPersistentDisk': gcePersistentDiskVolumeSource,
  'awsElasticBlockStore:AWSElasticBlockStore': awsElasticBlockStoreVolumeSource,
  gitRepo: gitRepoVolumeSource,
  secret: secretVolumeSource,
  'nfs:NFS': nfsVolumeSource,
  'iscsi:ISCSI': iscsiVolumeSource,
  glusterfs: glusterfsVolumeSource,
  persistentVolumeClaim: persistentVolumeClaimVolumeSource,
  'rbd:RBD': rbdVolumeSource,
  quobyte: quobyteVolumeSource,
  flexVolume: flexVolumeSource,
  cinder: cinderVolumeSource,
  'cephfs:CephFS': cephFSVolumeSource,
  flocker: flockerVolumeSource,
  downwardAPI: downwardAPIVolumeSource,
  'fc:FC': fcVolumeSource,
  azureFile: azureFileVolumeSource,
  configMap: configMapVolumeSource,
  vsphereVolume: vsphereVirtualDiskVolumeSource,
  azureDisk: azureDiskVolumeSource,
  photonPersistentDisk: photonPersistentDiskVolumeSource,
  projected: projectedVolumeSource,
  portworxVolume: portworxVolumeSource,
  scaleIO: scaleIOVolumeSource,
  'storageos:StorageOS': storageOSVolumeSource,
  csi: csiVolumeSource,
  ephemeral: ephemeralVolumeSource,
  image: imageVolumeSource,
};
