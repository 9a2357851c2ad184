import type { Service } from '../../../generated/v1.35/core/v1/types.ts';
import type { EndpointPort, EndpointSlice } from '../../../generated/v1.35/discovery.k8s.io/v1/types.ts';
import { defined } from '../../machinery/json/defined.ts';
import { equalJson } from '../../machinery/json/equality.ts';
import { newControllerRef } from '../controller-ref-manager.ts';
import { isServiceIPSet } from '../service-pods/service-ports.ts';
import type { AddressType } from './pod-endpoint.ts';

/** Metadata of EndpointSlices from their service. (endpointslice utils.go) */

export const endpointSlices = { group: 'discovery.k8s.io', version: 'v1', resource: 'endpointslices' };

export const serviceNameLabel = 'kubernetes.io/service-name';
export const managedByLabel = 'endpointslice.kubernetes.io/managed-by';
export const headlessLabel = 'service.kubernetes.io/headless';

/** The value of the label `managed-by` on this controller's slices. */
export const managerName = 'endpointslice-controller.k8s.io';

const reservedLabels: ReadonlySet<string> = new Set([serviceNameLabel, managedByLabel, headlessLabel]);

/** Returns the address types of a service's slices. (getAddressTypesForService) */
export function addressTypesOf({ spec }: Service): AddressType[] {
  const families = spec?.ipFamilies?.filter((family): family is AddressType => family === 'IPv4' || family === 'IPv6');
  if (families?.length) return families;
  const { clusterIP = '' } = spec ?? {};
  if (clusterIP !== '' && clusterIP !== 'None') return [clusterIP.includes(':') ? 'IPv6' : 'IPv4'];
  return ['IPv4', 'IPv6'];
}

/** Returns a slice without endpoints. It has no name until it is created. (newEndpointSlice) */
export function newEndpointSlice(service: Service, addressType: AddressType, ports: readonly EndpointPort[]): EndpointSlice {
  const { name = '', namespace } = service.metadata;
  return {
    metadata: {
      generateName: `${name}-`,
      ...defined({ namespace }),
      labels: sliceLabels(service),
      ownerReferences: [newControllerRef(service, { apiVersion: 'v1', kind: 'Service' })],
    },
    addressType,
    endpoints: [],
    ports: [...ports],
  };
}

/** Returns the labels of the service, and the labels by which slices are found. */
export function sliceLabels(service: Service): Record<string, string> {
  const { name = '', labels } = service.metadata;
  const own = { [serviceNameLabel]: name, [managedByLabel]: managerName };
  return { ...unreserved(labels), ...own, ...(isServiceIPSet(service) ? {} : { [headlessLabel]: '' }) };
}

/** Reports whether a slice has the labels of its service. (setEndpointSliceLabels) */
export function hasLabelsOf(slice: EndpointSlice, service: Service): boolean {
  return equalJson(unreserved(slice.metadata.labels), unreserved(service.metadata.labels));
}

const unreserved = (labels: Readonly<Record<string, string>> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(labels).filter(([key]) => !reservedLabels.has(key)));

export function isOwnedBy({ metadata }: EndpointSlice, service: Service): boolean {
  return (metadata.ownerReferences ?? []).some(
    ({ uid, kind, apiVersion }) => uid === service.metadata.uid && kind === 'Service' && apiVersion === 'v1',
  );
}
