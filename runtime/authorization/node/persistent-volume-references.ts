import type * as core from '../../../generated/v1.35/core/v1/types.ts';
import { defined } from '../../machinery/json/defined.ts';
import type { ObjectReference } from './object-reference.ts';

/** The claim of a volume, and the secrets that a kubelet reads to mount it. An unclaimed volume has neither. */
export interface PersistentVolumeReferences {
  readonly claim: ObjectReference;
  readonly secrets: readonly ObjectReference[];
}

/** (Graph.AddPV; pkg/api/v1/persistentvolume/util.go VisitPVSecretNames, secrets visible to kubelets) */
export function persistentVolumeReferences({ spec }: core.PersistentVolume): PersistentVolumeReferences | undefined {
  const claim = spec?.claimRef;
  if (spec === undefined || claim === undefined) return undefined;
  const { namespace = '', name = '' } = claim;
  return {
    claim: { resource: 'persistentvolumeclaims', namespace, name },
    secrets: secretReferences(spec, namespace).flatMap((secret) =>
      secret?.name ? [{ resource: 'secrets', namespace: secret.namespace ?? '', name: secret.name }] : [],
    ),
  };
}

function secretReferences(spec: core.PersistentVolumeSpec, claimNamespace: string): readonly (core.SecretReference | undefined)[] {
  const { azureFile, cephfs, cinder, flexVolume, rbd, scaleIO, iscsi, storageos, csi } = spec;
  // without a namespace, secrets of older volumes are in the claim's namespace
  const orInClaim = (secret: core.SecretReference | undefined): core.SecretReference | undefined =>
    secret && { ...secret, namespace: secret.namespace || claimNamespace };
  const ofAzure = azureFile && defined({ name: azureFile.secretName, namespace: azureFile.secretNamespace });
  return [
    ...[ofAzure, ...[cephfs, flexVolume, rbd, scaleIO, iscsi].map((source) => source?.secretRef)].map(orInClaim),
    ...[cinder, storageos].map((source) => source?.secretRef),
    csi?.nodePublishSecretRef,
    csi?.nodeStageSecretRef,
    csi?.nodeExpandSecretRef,
  ];
}
