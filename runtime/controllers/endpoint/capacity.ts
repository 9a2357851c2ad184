import type { EndpointSubset } from '../../../generated/v1.35/core/v1/types.ts';

/** The maximum number of addresses in Endpoints. */
const maxCapacity = 1000;

export const overCapacityAnnotation = 'endpoints.kubernetes.io/over-capacity';

/**
 * Drops addresses above the capacity: unready ones first, from each subset in proportion. Undefined if there are not
 * too many. (truncateEndpoints)
 */
export function truncatedSubsets(subsets: readonly EndpointSubset[]): EndpointSubset[] | undefined {
  const [ready, notReady] = [count(subsets, 'addresses'), count(subsets, 'notReadyAddresses')];
  if (ready + notReady <= maxCapacity) return undefined;
  if (ready > maxCapacity) {
    return shared(subsets, 'addresses', { max: maxCapacity, total: ready }).map(({ notReadyAddresses: _, ...kept }) => kept);
  }
  return shared(subsets, 'notReadyAddresses', { max: maxCapacity - ready, total: notReady });
}

type AddressList = 'addresses' | 'notReadyAddresses';

const count = (subsets: readonly EndpointSubset[], list: AddressList): number =>
  subsets.reduce((sum, subset) => sum + (subset[list]?.length ?? 0), 0);

function shared(
  subsets: readonly EndpointSubset[],
  list: AddressList,
  { max, total }: { readonly max: number; readonly total: number },
): EndpointSubset[] {
  let room = max;
  return subsets.map((subset) => {
    const addresses = subset[list] ?? [];
    const kept = addresses.slice(0, Math.min(room, Math.ceil((addresses.length / total) * max)));
    room -= kept.length;
    return { ...subset, [list]: kept };
  });
}
