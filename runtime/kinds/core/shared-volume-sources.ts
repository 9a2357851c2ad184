import type { Shape } from '../validation/internal-value.ts';

/**
 * The sources that pods' volumes and persistent volumes share, as Go shows them in messages. Only the type of their
 * secrets differs. (pkg/apis/core/types.go)
 */
export const sharedVolumeSources = (secretRef: Shape) =>
  ({
    hostPath: { path: '', type: null },
    gcePersistentDisk: { 'pdName:PDName': '', fsType: '', partition: 0, readOnly: false },
    awsElasticBlockStore: { volumeID: '', fsType: '', partition: 0, readOnly: false },
    nfs: { server: '', path: '', readOnly: false },
    iscsi: {
      targetPortal: '',
      'iqn:IQN': '',
      lun: 0,
      'iscsiInterface:ISCSIInterface': '',
      fsType: '',
      readOnly: false,
      portals: null,
      'chapAuthDiscovery:DiscoveryCHAPAuth': false,
      'chapAuthSession:SessionCHAPAuth': false,
      secretRef,
      initiatorName: null,
    },
    glusterfs: { 'endpoints:EndpointsName': '', path: '', readOnly: false },
    rbd: {
      'monitors:CephMonitors': null,
      'image:RBDImage': '',
      fsType: '',
      'pool:RBDPool': '',
      'user:RadosUser': '',
      keyring: '',
      secretRef,
      readOnly: false,
    },
    quobyte: { registry: '', volume: '', readOnly: false, user: '', group: '', tenant: '' },
    /** The options are not shown. */
    flexVolume: { driver: '', fsType: '', secretRef, readOnly: false },
    cinder: { volumeID: '', fsType: '', readOnly: false, secretRef },
    cephfs: { monitors: null, path: '', user: '', secretFile: '', secretRef, readOnly: false },
    flocker: { datasetName: '', datasetUUID: '' },
    fc: { targetWWNs: null, lun: null, fsType: '', readOnly: false, 'wwids:WWIDs': null },
    azureFile: { secretName: '', shareName: '', readOnly: false },
    vsphereVolume: { volumePath: '', fsType: '', storagePolicyName: '', storagePolicyID: '' },
    azureDisk: { diskName: '', 'diskURI:DataDiskURI': '', cachingMode: null, fsType: null, readOnly: null, kind: null },
    photonPersistentDisk: { pdID: '', fsType: '' },
    portworxVolume: { volumeID: '', fsType: '', readOnly: false },
    scaleIO: {
      gateway: '',
      system: '',
      secretRef,
      'sslEnabled:SSLEnabled': false,
      protectionDomain: '',
      storagePool: '',
      storageMode: '',
      volumeName: '',
      fsType: '',
      readOnly: false,
    },
    storageos: { volumeName: '', volumeNamespace: '', fsType: '', readOnly: false, secretRef },
  }) satisfies Record<string, Shape>;
