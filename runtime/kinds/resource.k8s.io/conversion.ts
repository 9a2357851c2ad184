import type { KubeObject, Part } from '../../machinery/object.ts';
import type { Conversion } from '../../machinery/resource.ts';

/**
 * resource.k8s.io v1beta1 differs from v1 in two places: a request's fields are not below `exactly`, a device's are
 * below `basic`. (pkg/apis/resource/v1beta1/conversion.go)
 */
const older = 'resource.k8s.io/v1beta1';
const stored = 'resource.k8s.io/v1';

/** `{ name, kept..., ...rest }` -> `{ name, [box]: rest, kept... }`. */
function box(object: Part, name: string, kept: readonly string[]): Part {
  const inner: Part = {};
  const after: Part = {};
  for (const key of Object.keys(object)) if (key !== 'name') (kept.includes(key) ? after : inner)[key] = object[key];
  return { name: object.name, [name]: inner, ...after };
}

function unbox(object: Part, name: string): Part {
  const { name: own, [name]: inner, ...rest } = object;
  return { name: own, ...inner, ...rest };
}

/** Requests with alternatives ask for nothing themselves. */
function requestToStorage(request: Part): Part {
  const { exactly, ...rest } = box(request, 'exactly', ['firstAvailable']);
  return Object.values(exactly).some(Boolean) ? { name: rest.name, exactly, ...rest } : rest;
}

/** The class is never left out in v1beta1. */
const requestFromStorage = (request: Part): Part =>
  request.exactly ? unbox(request, 'exactly') : { name: request.name, deviceClassName: '', ...request };
const deviceToStorage = (device: Part): Part => unbox(device, 'basic');
const deviceFromStorage = (device: Part): Part => box(device, 'basic', []);

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
