import type { DeviceRequest, ResourceClaim } from '../../../../generated/v1.35/resource.k8s.io/v1/types.ts';
import type { KubeObject } from '../../../machinery/object.ts';
import type { Quantity } from '../../../machinery/scalars/quantity.ts';
import { addTo, countOf, raiseTo, zero } from '../../../machinery/scalars/resource-amounts.ts';
import type { Evaluator, Measure } from '../evaluator.ts';
import { noScopes } from '../scopes.ts';
import { objectCountName, one } from './object-count.ts';

const countName = objectCountName('resource.k8s.io', 'resourceclaims');
const devicesOfClass = '.deviceclass.resource.k8s.io/devices';

/** The most devices of one claim. (AllocationResultsMaxSize) */
const mostDevices = 32;

interface DeviceDemand {
  readonly deviceClassName?: string;
  readonly allocationMode?: string;
  readonly count?: number | bigint;
}

/** Requests in older versions have the members of `exactly` inline. */
type AnyDeviceRequest = DeviceRequest & DeviceDemand;

function devicesOf({ allocationMode, count = 0 }: DeviceDemand): Quantity {
  if (allocationMode === 'ExactCount') return countOf(Number(count));
  return allocationMode === 'All' ? countOf(mostDevices) : zero;
}

const devicesByClass = (demand: DeviceDemand): ReadonlyMap<string, Quantity> =>
  new Map([[`${demand.deviceClassName}${devicesOfClass}`, devicesOf(demand)]]);

/**
 * Measures a claim. Among alternatives, the maximum per class counts. (pkg/quota/v1/evaluator/core/resource_claims.go)
 */
function measure(object: KubeObject): Measure {
  const usage = new Map<string, Quantity>([[countName, one]]);
  const requests = ((object as ResourceClaim).spec?.devices?.requests ?? []) as AnyDeviceRequest[];
  for (const request of requests) {
    const { firstAvailable = [], exactly } = request;
    if (firstAvailable.length > 0) {
      const most = new Map<string, Quantity>();
      for (const alternative of firstAvailable) raiseTo(most, devicesByClass(alternative));
      addTo(usage, most);
      continue;
    }
    const demand = exactly ?? request;
    if (demand.deviceClassName !== undefined) addTo(usage, devicesByClass(demand));
  }
  return { usage, scopes: noScopes };
}

export const resourceClaimEvaluator: Evaluator = {
  group: 'resource.k8s.io',
  resource: 'resourceclaims',
  measure,
  handles: (operation, subresource) => ['CREATE', 'UPDATE'].includes(operation) && subresource === '',
  matches: (name) => name === countName || name.endsWith(devicesOfClass),
};
