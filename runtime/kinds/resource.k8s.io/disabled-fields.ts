import { memberOf } from '../../machinery/json/values.ts';

/*
 * Fields behind gates that are off by default in v1.35. A write drops them, unless what is stored uses one of the gate's
 * fields: then an API server with the gate wrote it. Objects have any version.
 * (dropDisabledFields of the strategies, pkg/api/resourceclaimspec/util.go)
 */

/** An object or list whose members are looked for by name. */
type Node = object | undefined;

const at = (node: Node, name: string): Node => {
  const member = node && memberOf(node, name);
  return typeof member === 'object' && member !== null ? member : undefined;
};

/** The members of a list or the values of a map. */
const itemsOf = (node: Node): object[] =>
  node === undefined ? [] : Object.values(node).filter((item) => typeof item === 'object' && item !== null);

const uses = (parts: readonly object[], fields: readonly string[]): boolean =>
  parts.some((part) =>
    fields.some((field) => {
      const value = memberOf(part, field);
      return Array.isArray(value) ? value.length > 0 : value !== undefined;
    }),
  );

/** Where the fields of a gate that is off are: names of fields, in these parts of an object. */
type Gate = (object: object) => readonly (readonly [parts: readonly object[], fields: readonly string[]])[];

function dropDisabled(gates: readonly Gate[], object: object, old: object | undefined): void {
  for (const places of gates) {
    if (old && places(old).some(([parts, fields]) => uses(parts, fields))) continue;
    for (const [parts, fields] of places(object)) {
      for (const part of parts) for (const field of fields) Reflect.deleteProperty(part, field);
    }
  }
}

/** Of a request, or of what it is exactly, and of its alternatives. */
function requestParts(spec: object): object[] {
  return itemsOf(at(at(spec, 'devices'), 'requests')).flatMap((request) => [
    request,
    ...itemsOf([at(request, 'exactly')]),
    ...itemsOf(at(request, 'firstAvailable')),
  ]);
}

const claimSpecGates: readonly Gate[] = [
  // DRADeviceTaints
  (spec) => [[requestParts(spec), ['tolerations']]],
  // DRAConsumableCapacity
  (spec) => [
    [requestParts(spec), ['capacity']],
    [itemsOf(at(at(spec, 'devices'), 'constraints')), ['distinctAttribute']],
  ],
];

/** Of a ResourceClaimSpec. */
export function dropDisabledClaimFields(spec: object | undefined, old: object | undefined): void {
  if (spec) dropDisabled(claimSpecGates, spec, old);
}

const resultsOf = (status: object): object[] => itemsOf(at(at(at(status, 'allocation'), 'devices'), 'results'));

const claimStatusGates: readonly Gate[] = [
  // DRAConsumableCapacity
  (status) => [
    [resultsOf(status), ['shareID', 'consumedCapacity']],
    [itemsOf(at(status, 'devices')), ['shareID']],
  ],
  // DRADeviceBindingConditions
  (status) => [[resultsOf(status), ['bindingConditions', 'bindingFailureConditions']]],
];

/** Of a ResourceClaimStatus. */
export function dropDisabledStatusFields(status: object | undefined, old: object | undefined): void {
  if (status) dropDisabled(claimStatusGates, status, old);
}

/** At v1beta1, the fields of a device are in `basic`. */
const devicesOf = (spec: object): object[] =>
  itemsOf(at(spec, 'devices')).map((device) => at(device, 'basic') ?? device);

const sliceGates: readonly Gate[] = [
  // DRADeviceTaints
  (spec) => [[devicesOf(spec), ['taints']]],
  // DRAPartitionableDevices
  (spec) => [
    [[spec], ['sharedCounters', 'perDeviceNodeSelection']],
    [devicesOf(spec), ['consumesCounters', 'nodeName', 'nodeSelector', 'allNodes']],
  ],
  // DRADeviceBindingConditions
  (spec) => [[devicesOf(spec), ['bindingConditions', 'bindingFailureConditions', 'bindsToNode']]],
  // DRAConsumableCapacity
  (spec) => [
    [devicesOf(spec), ['allowMultipleAllocations']],
    [devicesOf(spec).flatMap((device) => itemsOf(at(device, 'capacity'))), ['requestPolicy']],
  ],
];

/** Of a ResourceSliceSpec. */
export function dropDisabledSliceFields(spec: object | undefined, old: object | undefined): void {
  if (spec) dropDisabled(sliceGates, spec, old);
}

const classGates: readonly Gate[] = [
  // DRAExtendedResource
  (spec) => [[[spec], ['extendedResourceName']]],
];

/** Of a DeviceClassSpec. */
export function dropDisabledClassFields(spec: object | undefined, old: object | undefined): void {
  if (spec) dropDisabled(classGates, spec, old);
}
