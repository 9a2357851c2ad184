import type { KubeObject, Part } from '../../machinery/object.ts';
import type { Conversion } from '../../machinery/resource.ts';

/**
 * resource.k8s.io v1beta1 differs from v1 in two places: a request's fields are not below `exactly`, a device's are
 * below `basic`. (pkg/apis/resource/v1beta1/conversion.go)
 */
const older = 'resource.k8s.io/v1beta1';
const stored = 'resource.k8s.io/v1';

/** `{ name, ...rest }` -> `{ name, kept..., [box]: rest }`, without the box where it would be empty unless `always`. */
function box(object: Part, name: string, kept: readonly string[], always: boolean): Part {
  const out: Part = {};
  const inner: Part = {};
  for (const key of Object.keys(object)) (kept.includes(key) ? out : inner)[key] = object[key];
  if (always || Object.keys(inner).length > 0) out[name] = inner;
  return out;
}

function unbox(object: Part, name: string): Part {
  const { [name]: inner, ...rest } = object;
  return { ...rest, ...inner };
}

const requestToStorage = (request: Part): Part => box(request, 'exactly', ['name', 'firstAvailable'], false);
const requestFromStorage = (request: Part): Part => unbox(request, 'exactly');
const deviceToStorage = (device: Part): Part => unbox(device, 'basic');
const deviceFromStorage = (device: Part): Part => box(device, 'basic', ['name'], true);

const withRequests = (spec: Part, convert: (request: Part) => Part): Part =>
  spec?.devices?.requests
    ? { ...spec, devices: { ...spec.devices, requests: spec.devices.requests.map(convert) } }
    : spec;

const withDevices = (spec: Part, convert: (device: Part) => Part): Part =>
  spec?.devices ? { ...spec, devices: spec.devices.map(convert) } : spec;

const withSpec = (object: KubeObject, apiVersion: string, spec: Part): KubeObject => ({
  ...object,
  apiVersion,
  ...(spec === undefined ? {} : { spec }),
});

export const resourceClaimV1beta1: Conversion = {
  toStorage: (claim) => withSpec(claim, stored, withRequests(claim.spec, requestToStorage)),
  fromStorage: (claim) => withSpec(claim, older, withRequests(claim.spec, requestFromStorage)),
};

const withTemplate = (template: KubeObject, apiVersion: string, convert: (request: Part) => Part): KubeObject =>
  withSpec(
    template,
    apiVersion,
    template.spec?.spec ? { ...template.spec, spec: withRequests(template.spec.spec, convert) } : template.spec,
  );

export const resourceClaimTemplateV1beta1: Conversion = {
  toStorage: (template) => withTemplate(template, stored, requestToStorage),
  fromStorage: (template) => withTemplate(template, older, requestFromStorage),
};

export const resourceSliceV1beta1: Conversion = {
  toStorage: (slice) => withSpec(slice, stored, withDevices(slice.spec, deviceToStorage)),
  fromStorage: (slice) => withSpec(slice, older, withDevices(slice.spec, deviceFromStorage)),
};
