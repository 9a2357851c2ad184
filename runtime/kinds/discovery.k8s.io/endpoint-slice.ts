import type * as discovery from '../../../generated/v1.35/discovery.k8s.io/v1/types.ts';
import { equalPruned } from '../../machinery/json/equality.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import { Field } from '../../machinery/validation/field.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import { dnsSubdomain } from '../../machinery/validation/name-formats.ts';
import type { RESTStrategy } from '../../resources/rest.ts';
import { formatFirst } from '../printers.ts';
import { addIPWarnings } from '../validation/ip-warnings.ts';
import type { WriteWarnings } from '../warnings.ts';
import { validateEndpointSlice, validateEndpointSliceUpdate } from './endpoint-slice-validation.ts';

/** (pkg/registry/discovery/endpointslice/strategy.go) */

type EndpointSlice = Unvalidated<discovery.EndpointSlice>;

export const endpointSlicePorts = ({ ports }: EndpointSlice): string =>
  formatFirst((ports ?? []).map(({ port, name }) => String(port ?? name ?? '*'))) || '<unset>';
export const endpointSliceEndpoints = ({ endpoints }: EndpointSlice): string =>
  formatFirst((endpoints ?? []).flatMap(({ addresses }) => addresses ?? [])) || '<unset>';

/** Controllers that copy addresses from other objects, whose writers got the warnings. */
const slicePublishers: readonly (string | undefined)[] = ['endpointslice-controller.k8s.io', 'endpointslicemirroring-controller.k8s.io'];

export const endpointSliceWarnings: WriteWarnings<EndpointSlice> = {
  warningsOnCreate(slice) {
    const warnings = warningsForEndpointAddresses(slice);
    return slice.addressType === 'FQDN' ? ['spec.addressType: FQDN endpoints are deprecated', ...warnings] : warnings;
  },
  warningsOnUpdate: warningsForEndpointAddresses,
};

function warningsForEndpointAddresses({ metadata, endpoints }: EndpointSlice): string[] {
  const warnings: string[] = [];
  if (slicePublishers.includes(metadata?.labels?.['endpointslice.kubernetes.io/managed-by'])) return warnings;
  for (const [index, { addresses }] of (endpoints ?? []).entries()) {
    for (const [addressIndex, address] of (addresses ?? []).entries()) {
      addIPWarnings(`endpoints[${index}].addresses[${addressIndex}]`, address, warnings);
    }
  }
  return warnings;
}

export const endpointSliceStrategy: RESTStrategy = {
  prepareForCreate: (slice: EndpointSlice) => dropTopology(slice, undefined),
  prepareForUpdate: (slice: EndpointSlice, old: EndpointSlice) => dropTopology(slice, old),
  validateCreate: (slice: EndpointSlice, errors) => validateEndpointSlice(slice, Field.at(FieldPath.root, errors)),
  validateUpdate: (slice: EndpointSlice, old: EndpointSlice, errors) =>
    validateEndpointSliceUpdate(slice, old, Field.at(FieldPath.root, errors)),
};

const hostnameLabel = 'kubernetes.io/hostname';

/**
 * Writes at v1 cannot set the topology, which only an older version could store. It may name nodes. (dropTopologyOnV1)
 */
function dropTopology(slice: EndpointSlice, old: EndpointSlice | undefined): void {
  if (!slice.endpoints?.some(({ deprecatedTopology }) => deprecatedTopology !== undefined)) return;
  if (old && equalPruned(old.endpoints, slice.endpoints)) return;
  const nodes = new Set(old?.endpoints?.map(({ deprecatedTopology }) => deprecatedTopology?.[hostnameLabel]));
  for (const endpoint of slice.endpoints) {
    const node = endpoint.deprecatedTopology?.[hostnameLabel];
    if (node && endpoint.nodeName === undefined && nodes.has(node) && dnsSubdomain(node).length === 0) {
      endpoint.nodeName = node;
    }
    delete endpoint.deprecatedTopology;
  }
}
