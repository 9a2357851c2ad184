import type { PersistentVolumeSpec, Pod, Volume } from '../../../../generated/v1.35/core/v1/types.ts';
import { aggregate } from '../../../machinery/errors/aggregate.ts';
import { isStatusError } from '../../../machinery/errors/status.ts';
import type { NodeListers } from './listers.ts';

/** CSI drivers that replaced in-tree volume plugins. (csi-translation-lib/plugins) */
const migratedDrivers = {
  awsElasticBlockStore: 'ebs.csi.aws.com',
  azureDisk: 'disk.csi.azure.com',
  azureFile: 'file.csi.azure.com',
  cinder: 'cinder.csi.openstack.org',
  gcePersistentDisk: 'pd.csi.storage.gke.io',
  portworxVolume: 'pxd.portworx.com',
  vsphereVolume: 'csi.vsphere.vmware.com',
} as const;

interface Search {
  readonly found: boolean;
  /** The failed look-ups; undefined if the audience was found anyway. */
  readonly error?: string;
}

/**
 * Looks for a volume of a pod that needs tokens for an audience: a projected volume or a CSI driver's.
 * (podReferencesAudience)
 */
export function findAudience(pod: Pod, audience: string, listers: NodeListers): Search {
  const errors: string[] = [];
  for (const volume of pod.spec?.volumes ?? []) {
    const sources = volume.projected?.sources ?? [];
    if (sources.some((source) => isFor(source.serviceAccountToken, audience))) return { found: true };
    try {
      const driver = driverOf(volume, pod, listers);
      if (!driver) continue;
      const { tokenRequests = [] } = listers.driver(driver).spec;
      if (tokenRequests.some((request) => isFor(request, audience))) return { found: true };
    } catch (error) {
      if (!isStatusError(error)) throw error;
      errors.push(error.message);
    }
  }
  return errors.length === 0 ? { found: false } : { found: false, error: aggregate(errors) };
}

const isFor = (token: { readonly audience?: string } | undefined, audience: string): boolean =>
  token !== undefined && (token.audience ?? '') === audience;

function driverOf(volume: Volume, { metadata }: Pod, listers: NodeListers): string | undefined {
  const { ephemeral, persistentVolumeClaim, csi, name } = volume;
  const namespace = metadata.namespace ?? '';
  if (ephemeral?.volumeClaimTemplate) return driverOfClaim(`${metadata.name}-${name}`, namespace, listers);
  if (persistentVolumeClaim) return driverOfClaim(persistentVolumeClaim.claimName, namespace, listers);
  return csi ? csi.driver : migratedDriver(volume);
}

/** (getCSIFromPVC) */
function driverOfClaim(name: string, namespace: string, listers: NodeListers): string | undefined {
  const { spec } = listers.volume(listers.claim(namespace, name).spec?.volumeName ?? '');
  return spec?.csi ? spec.csi.driver : migratedDriver(spec ?? {});
}

function migratedDriver(source: Volume | PersistentVolumeSpec): string | undefined {
  const kinds = Object.keys(migratedDrivers) as (keyof typeof migratedDrivers)[];
  const kind = kinds.find((one) => source[one] !== undefined);
  return kind && migratedDrivers[kind];
}
