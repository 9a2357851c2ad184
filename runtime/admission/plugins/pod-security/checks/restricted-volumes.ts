import type { Volume } from '../../../../../generated/v1.35/core/v1/types.ts';
import type { Unvalidated } from '../../../../machinery/unvalidated.ts';
import { type Check, joinQuote, nameOf, pluralize, sorted } from './check.ts';
import { hostPathVolumesId } from './host.ts';

const allowed = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'image',
  'persistentVolumeClaim',
  'projected',
  'secret',
] as (keyof Volume)[];

const isAllowed = (volume: Unvalidated<Volume>): boolean => allowed.some((type) => volume[type] !== undefined);

/** Volume types in upstream's order of checks. */
const restricted = [
  'hostPath',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'gitRepo',
  'nfs',
  'iscsi',
  'glusterfs',
  'rbd',
  'flexVolume',
  'cinder',
  'cephfs',
  'flocker',
  'fc',
  'azureFile',
  'vsphereVolume',
  'quobyte',
  'azureDisk',
  'photonPersistentDisk',
  'portworxVolume',
  'scaleIO',
  'storageos',
] as (keyof Volume)[];

/** Allows only volume types that Kubernetes controls. */
export const restrictedVolumes: Check = {
  id: 'restrictedVolumes',
  level: 'restricted',
  versions: [
    {
      minimumVersion: 0,
      checkPod({ spec }) {
        const bad = (spec.volumes ?? []).filter((volume) => !isAllowed(volume));
        if (bad.length === 0) return undefined;
        const types = sorted(bad.map((volume) => restricted.find((type) => volume[type] !== undefined) ?? 'unknown'));
        const volumes = `${pluralize('volume', 'volumes', bad.length)} ${joinQuote(bad.map(nameOf))}`;
        const what = pluralize('restricted volume type', 'restricted volume types', types.length);
        return {
          reason: 'restricted volume types',
          detail: `${volumes} ${pluralize('uses', 'use', bad.length)} ${what} ${joinQuote(types)}`,
        };
      },
      overrides: [hostPathVolumesId],
    },
  ],
};
