import type { PersistentVolumeClaim } from '../../../../generated/v1.35/core/v1/types.ts';
import type { KubeObject } from '../../../machinery/object.ts';
import { compareQuantities, type Quantity, roundUpQuantity } from '../../../machinery/scalars/quantity.ts';
import { amountsOf } from '../../../machinery/scalars/resource-amounts.ts';
import type { Evaluator, Measure } from '../evaluator.ts';
import { objectCountName, one } from './object-count.ts';

const countName = objectCountName('', 'persistentvolumeclaims');
/** Resources that can also be bounded for one storage class. */
const claimResources = ['persistentvolumeclaims', 'requests.storage'];
const ofStorageClass = '.storageclass.storage.k8s.io/';

const storageClassAnnotation = 'volume.beta.kubernetes.io/storage-class';

/** (storagehelpers.GetPersistentVolumeClaimClass) */
const storageClassOf = ({ metadata, spec }: PersistentVolumeClaim): string =>
  metadata.annotations?.[storageClassAnnotation] ?? spec?.storageClassName ?? '';

/** Returns whole bytes: max(requested, allocated). (getStorageUsage) */
function storageOf({ spec, status }: PersistentVolumeClaim): Quantity | undefined {
  const requested = amountsOf(spec?.resources?.requests).get('storage');
  if (requested === undefined) return undefined;
  const allocated = amountsOf(status?.allocatedResources).get('storage');
  const isMore = allocated !== undefined && compareQuantities(allocated, roundUpQuantity(requested, 0)) > 0;
  return roundUpQuantity(isMore ? allocated : requested, 0);
}

/** Returns the current, previous and desired classes of a claim. (getReferencedVolumeAttributesClassNames) */
function volumeAttributesClassesOf({ spec, status }: PersistentVolumeClaim): string[] {
  const names = [
    spec?.volumeAttributesClassName,
    status?.currentVolumeAttributesClassName,
    status?.modifyVolumeStatus?.targetVolumeAttributesClassName,
  ];
  return [...new Set(names.filter((name) => name !== undefined && name !== ''))] as string[];
}

/** (pkg/quota/v1/evaluator/core/persistent_volume_claims.go) */
function measure(object: KubeObject): Measure {
  const claim = object as PersistentVolumeClaim;
  const storageClass = storageClassOf(claim);
  const storage = storageOf(claim);
  const usage = new Map<string, Quantity>([[countName, one]]);
  const count = (name: string, amount: Quantity): void => {
    usage.set(name, amount);
    if (storageClass !== '') usage.set(`${storageClass}${ofStorageClass}${name}`, amount);
  };
  count('persistentvolumeclaims', one);
  if (storage !== undefined) count('requests.storage', storage);
  return {
    usage,
    scopes: { in: new Set(), values: { VolumeAttributesClass: volumeAttributesClassesOf(claim) } },
  };
}

export const persistentVolumeClaimEvaluator: Evaluator = {
  group: '',
  resource: 'persistentvolumeclaims',
  measure,
  handles: (operation, subresource) =>
    operation === 'UPDATE' ? ['', 'status'].includes(subresource) : operation === 'CREATE' && subresource === '',
  matches: (name) =>
    name === countName || claimResources.some((resource) => name === resource || name.endsWith(`${ofStorageClass}${resource}`)),
};
