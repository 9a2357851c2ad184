import type * as v1 from '../../../generated/v1.35/resource.k8s.io/v1/types.ts';
import type * as v1beta1 from '../../../generated/v1.35/resource.k8s.io/v1beta1/types.ts';
import type { Conversion } from '../../machinery/resource.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';

/**
 * v1 differs from v1beta1 in two places: fields of a request move into `exactly`, and those of a device out of `basic`.
 * (pkg/apis/resource/v1beta1/conversion.go)
 */

const beta = { apiVersion: 'resource.k8s.io/v1beta1' };
const stored = { apiVersion: 'resource.k8s.io/v1' };

/** A request with alternatives has no `exactly`. */
function requestToStorage(request: Unvalidated<v1beta1.DeviceRequest>): Unvalidated<v1.DeviceRequest> {
  const { name, firstAvailable, ...exactly } = request;
  const alternatives = firstAvailable === undefined ? {} : { firstAvailable };
  return Object.values(exactly).some(Boolean) ? { name, exactly, ...alternatives } : { name, ...alternatives };
}

/** The Go field deviceClassName of v1beta1 has no omitempty. */
function requestFromStorage(request: Unvalidated<v1.DeviceRequest>): Unvalidated<v1beta1.DeviceRequest> {
  const { name, exactly, ...alternatives } = request;
  return exactly ? { name, ...exactly, ...alternatives } : { name, deviceClassName: '', ...alternatives };
}

const deviceToStorage = ({ name, basic, ...rest }: Unvalidated<v1beta1.Device>): Unvalidated<v1.Device> => ({
  name,
  ...basic,
  ...rest,
});

const deviceFromStorage = ({ name, ...basic }: Unvalidated<v1.Device>): Unvalidated<v1beta1.Device> => ({
  name,
  basic,
});

interface ClaimSpec<Request> {
  /** Go writes an empty list of requests as null. */
  readonly devices?: { readonly requests?: readonly Request[] | null };
}

function withRequests<From, To>({ devices, ...spec }: ClaimSpec<From>, convert: (request: From) => To): ClaimSpec<To> {
  if (!devices) return spec;
  const { requests, ...others } = devices;
  if (requests === undefined) return { ...spec, devices: others };
  return { ...spec, devices: { ...devices, requests: requests?.map(convert) ?? null } };
}

export const resourceClaimV1beta1: Conversion = {
  toStorage: (claim: v1beta1.ResourceClaim) => ({
    ...claim,
    ...stored,
    spec: withRequests(claim.spec, requestToStorage),
  }),
  fromStorage: (claim: v1.ResourceClaim) => ({
    ...claim,
    ...beta,
    spec: withRequests(claim.spec, requestFromStorage),
  }),
};

export const resourceClaimTemplateV1beta1: Conversion = {
  toStorage: (template: v1beta1.ResourceClaimTemplate) => ({
    ...template,
    ...stored,
    spec: { ...template.spec, spec: withRequests(template.spec.spec, requestToStorage) },
  }),
  fromStorage: (template: v1.ResourceClaimTemplate) => ({
    ...template,
    ...beta,
    spec: { ...template.spec, spec: withRequests(template.spec.spec, requestFromStorage) },
  }),
};

interface SliceSpec<Device> {
  readonly devices?: readonly Device[];
}

function withDevices<From, To>(spec: SliceSpec<From>, convert: (device: From) => To): SliceSpec<To> {
  const { devices, ...others } = spec;
  return devices ? { ...spec, devices: devices.map(convert) } : others;
}

export const resourceSliceV1beta1: Conversion = {
  toStorage: (slice: v1beta1.ResourceSlice) => ({
    ...slice,
    ...stored,
    spec: withDevices(slice.spec, deviceToStorage),
  }),
  fromStorage: (slice: v1.ResourceSlice) => ({
    ...slice,
    ...beta,
    spec: withDevices(slice.spec, deviceFromStorage),
  }),
};
