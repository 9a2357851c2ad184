import type { Endpoints } from '../../../generated/v1.35/core/v1/types.ts';
import type { EndpointSlice } from '../../../generated/v1.35/discovery.k8s.io/v1/types.ts';
import { defined } from '../../machinery/json/defined.ts';
import { equalJson } from '../../machinery/json/equality.ts';
import { newControllerRef } from '../controller-ref-manager.ts';
import { endpointKey, sameState } from '../endpointslice/pod-endpoint.ts';
import { managedByLabel, serviceNameLabel } from '../endpointslice/slice-metadata.ts';
import type { DesiredSlice } from './desired-endpoints.ts';

/** The value of the label `managed-by` on mirroring slices. */
export const managerName = 'endpointslicemirroring-controller.k8s.io';

const ownLabels = [managedByLabel, serviceNameLabel];

/** Annotations that concern only the Endpoints. */
const unmirroredAnnotations = ['endpoints.kubernetes.io/last-change-trigger-time', 'kubectl.kubernetes.io/last-applied-configuration'];

type Texts = Readonly<Record<string, string>>;

const without = (texts: Texts = {}, keys: readonly string[]): Texts =>
  Object.fromEntries(Object.entries(texts).filter(([key]) => !keys.includes(key)));

/** Returns a slice that mirrors Endpoints. It has no name until it is created. (newEndpointSlice) */
export function mirroredSlice({ metadata }: Endpoints, { addressType, ports, endpoints }: DesiredSlice): EndpointSlice {
  const { name = '', namespace } = metadata;
  return {
    metadata: {
      generateName: `${name}-`,
      ...defined({ namespace }),
      labels: { ...metadata.labels, [serviceNameLabel]: name, [managedByLabel]: managerName },
      annotations: { ...without(metadata.annotations, unmirroredAnnotations) },
      ownerReferences: [newControllerRef({ metadata }, { apiVersion: 'v1', kind: 'Endpoints' })],
    },
    addressType,
    endpoints: [...endpoints.values()],
    ports: [...ports],
  };
}

/** Reports whether a slice already mirrors the Endpoints. (reconcileByPortMapping) */
export function isMirrorOf({ metadata }: Endpoints, slice: EndpointSlice, desired: DesiredSlice): boolean {
  const { labels, annotations = {}, ownerReferences = [] } = slice.metadata;
  return (
    hasEndpoints(slice, desired) &&
    equalJson(without(metadata.labels, ownLabels), without(labels, ownLabels)) &&
    equalJson(without(metadata.annotations, unmirroredAnnotations), annotations) &&
    // deleted Endpoints of the same name
    !ownerReferences.some(({ kind, name, uid }) => kind === 'Endpoints' && name === metadata.name && uid !== metadata.uid)
  );
}

function hasEndpoints({ endpoints: existing }: EndpointSlice, { endpoints }: DesiredSlice): boolean {
  return (
    (existing ?? []).length === endpoints.size &&
    (existing ?? []).every((endpoint) => {
      const wanted = endpoints.get(endpointKey(endpoint));
      return wanted !== undefined && sameState(endpoint, wanted);
    })
  );
}
