import type * as v1 from '../../../generated/v1.35/resource.k8s.io/v1/types.ts';
import type * as v1beta1 from '../../../generated/v1.35/resource.k8s.io/v1beta1/types.ts';
import { defined } from '../../machinery/json/defined.ts';
import type { KubeObject, ObjectMeta } from '../../machinery/object.ts';
import { droppedMember, hadDisabled, withDropped } from '../../machinery/prune/dropped-values.ts';
import type { Conversion, ResourceDefinition } from '../../machinery/resource.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';

/**
 * v1 differs from v1beta1 in two places: a request has its fields in `exactly`, and a device has its fields outside of
 * `basic`. The v1alpha3 of v1.32 and v1.33 is like v1beta1, but its capacities are plain quantities.
 * (pkg/apis/resource/v1beta1/conversion.go, v1alpha3/conversion.go)
 */

const stored = { apiVersion: 'resource.k8s.io/v1' };

/** A request with alternatives has no `exactly`. (hasAnyMainRequestFieldsSet) */
function requestToStorage(request: Unvalidated<v1beta1.DeviceRequest>): Unvalidated<v1.DeviceRequest> {
  const { name, firstAvailable, ...exactly } = request;
  const hadList = ['selectors', 'tolerations'].some((list) => droppedMember(request, list) !== undefined);
  const isSet =
    hadList || hadDisabled(request) || Object.values(exactly).some((value) => value !== undefined && value !== null && value !== '');
  return withDropped(defined({ name, exactly: isSet ? withDropped(exactly, request) : undefined, firstAvailable }), request);
}

/** The Go field deviceClassName of v1beta1 lacks omitempty. */
function requestFromStorage(request: Unvalidated<v1.DeviceRequest>): Unvalidated<v1beta1.DeviceRequest> {
  const { name, exactly, ...alternatives } = request;
  const flat = defined(exactly ? { name, ...exactly, ...alternatives } : { name, deviceClassName: '', ...alternatives });
  return withDropped(exactly ? withDropped(flat, exactly) : flat, request);
}

const deviceFromV1beta1 = ({ name, basic, ...rest }: Unvalidated<v1beta1.Device>): Unvalidated<v1.Device> =>
  defined({ name, ...basic, ...rest });

const deviceToV1beta1 = ({ name, ...basic }: Unvalidated<v1.Device>): Unvalidated<v1beta1.Device> => defined({ name, basic });

/** A device whose capacities are plain quantities. */
interface DeviceV1alpha3 {
  readonly name?: string | undefined;
  readonly basic?: Removable<BasicDeviceV1alpha3>;
}

type BasicDeviceV1alpha3 = Omit<Unvalidated<v1.Device>, 'name' | 'capacity'> & {
  readonly capacity?: Removable<Readonly<Record<string, string>>>;
};

function deviceFromV1alpha3({ name, basic }: DeviceV1alpha3): Unvalidated<v1.Device> {
  const { capacity, ...others } = basic ?? {};
  if (!capacity) return defined({ name, ...others });
  const values = Object.entries(capacity).map(([key, value]) => [key, { value }]);
  return defined({ name, ...others, capacity: Object.fromEntries(values) });
}

function deviceToV1alpha3({ name, capacity, ...basic }: Unvalidated<v1.Device>): DeviceV1alpha3 {
  if (!capacity) return { name, basic };
  const values = Object.entries(capacity).map(([key, each]) => [key, each?.value ?? '0']);
  return { name, basic: { ...basic, capacity: Object.fromEntries(values) } };
}

/**
 * A value that server-side apply may have removed. Any member may be absent, and an emptied object or list is null. Go
 * also writes an empty list of requests as null.
 */
type Removable<T> = T | null | undefined;

interface ClaimSpec<Request> {
  readonly devices?: Removable<{ readonly requests?: Removable<readonly Request[]> }>;
}

function withRequests<From, To>(spec: Removable<ClaimSpec<From>>, convert: (request: From) => To): Removable<ClaimSpec<To>> {
  if (!spec) return spec;
  const { devices, ...others } = spec;
  if (!devices) return devices === null ? { ...others, devices } : others;
  const { requests, ...rest } = devices;
  if (requests === undefined) return { ...spec, devices: rest };
  return withDropped({ ...spec, devices: withDropped({ ...devices, requests: requests?.map(convert) ?? null }, devices) }, spec);
}

interface TemplateSpec<Request> {
  readonly spec?: Removable<ClaimSpec<Request>>;
}

function withClaimSpec<From, To>(template: Removable<TemplateSpec<From>>, convert: (request: From) => To): Removable<TemplateSpec<To>> {
  if (!template) return template;
  const { spec, ...others } = template;
  return spec === undefined ? others : withDropped({ ...template, spec: withRequests(spec, convert) }, template);
}

interface SliceSpec<Device> {
  readonly nodeName?: Removable<string>;
  readonly allNodes?: Removable<boolean>;
  readonly devices?: Removable<readonly Device[]>;
}

function withDevices<From, To>(spec: Removable<SliceSpec<From>>, convert: (device: From) => To): Removable<SliceSpec<To>> {
  if (!spec) return spec;
  const { devices, ...others } = spec;
  return devices === undefined ? others : { ...spec, devices: devices?.map(convert) ?? null };
}

/** Drops an empty nodeName and a false allNodes, which are pointers in v1 only. */
function withoutEmptyNodes<Device>(spec: Removable<SliceSpec<Device>>): Removable<SliceSpec<Device>> {
  if (spec?.nodeName !== '' && spec?.allNodes !== false) return spec;
  const { nodeName, allNodes, ...others } = spec;
  return { ...(nodeName ? { nodeName } : {}), ...(allNodes ? { allNodes } : {}), ...others };
}

interface WithSpec<Spec> {
  readonly metadata: ObjectMeta;
  readonly spec?: Removable<Spec>;
}

/** Returns the object at the version, with the spec if it is present. */
function withSpec<Spec>(object: WithSpec<unknown>, version: { apiVersion: string }, spec: Removable<Spec>): KubeObject {
  return { ...object, ...version, ...defined({ spec }) };
}

type DeviceRequestV1beta1 = Unvalidated<v1beta1.DeviceRequest>;
type DeviceRequestV1 = Unvalidated<v1.DeviceRequest>;

interface DeviceConversion<Device> {
  toStorage(device: Device): Unvalidated<v1.Device>;
  fromStorage(device: Unvalidated<v1.Device>): Device;
}

/** Returns the conversions of a version with the requests of v1beta1 and its own form of devices. */
function conversionsOf<Device>(
  version: string,
  device: DeviceConversion<Device>,
): { readonly claim: Conversion; readonly template: Conversion; readonly slice: Conversion } {
  const served = { apiVersion: `resource.k8s.io/${version}` };
  return {
    claim: {
      toStorage: (claim: WithSpec<ClaimSpec<DeviceRequestV1beta1>>) => withSpec(claim, stored, withRequests(claim.spec, requestToStorage)),
      fromStorage: (claim: WithSpec<ClaimSpec<DeviceRequestV1>>) => withSpec(claim, served, withRequests(claim.spec, requestFromStorage)),
    },
    template: {
      toStorage: (template: WithSpec<TemplateSpec<DeviceRequestV1beta1>>) =>
        withSpec(template, stored, withClaimSpec(template.spec, requestToStorage)),
      fromStorage: (template: WithSpec<TemplateSpec<DeviceRequestV1>>) =>
        withSpec(template, served, withClaimSpec(template.spec, requestFromStorage)),
    },
    slice: {
      toStorage: (slice: WithSpec<SliceSpec<Device>>) => withSpec(slice, stored, withDevices(slice.spec, device.toStorage)),
      fromStorage: (slice: WithSpec<SliceSpec<Unvalidated<v1.Device>>>) =>
        withSpec(slice, served, withDevices(withoutEmptyNodes(slice.spec), device.fromStorage)),
    },
  };
}

const ofV1beta1 = conversionsOf('v1beta1', { toStorage: deviceFromV1beta1, fromStorage: deviceToV1beta1 });
const ofV1alpha3 = conversionsOf('v1alpha3', { toStorage: deviceFromV1alpha3, fromStorage: deviceToV1alpha3 });

export const resourceClaimV1beta1 = ofV1beta1.claim;
export const resourceClaimTemplateV1beta1 = ofV1beta1.template;
export const resourceSliceV1beta1 = ofV1beta1.slice;
export const resourceClaimV1alpha3 = ofV1alpha3.claim;
export const resourceClaimTemplateV1alpha3 = ofV1alpha3.template;
export const resourceSliceV1alpha3 = ofV1alpha3.slice;

/** Returns the object at v1, the version of the rules and of the fields in their errors. Returns a v1 object itself. */
export const atStorageVersion = (object: KubeObject, { definition }: { readonly definition: ResourceDefinition }): KubeObject =>
  definition.version === definition.storageVersion ? object : definition.conversion.toStorage(object);
