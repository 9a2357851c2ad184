import type * as resource from '../../../generated/v1.35/resource.k8s.io/v1/types.ts';
import { equalPruned } from '../../machinery/json/equality.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { byteLength, dnsLabel } from '../../machinery/validation/name-formats.ts';
import { validateNodeSelector } from '../core/node-selector.ts';
import { validateConditions } from '../validation/conditions.ts';
import { immutableText, validateFormat } from '../validation/fields.ts';
import { validateInterfaceAddress } from '../validation/ip.ts';
import { gatherRequestNames, type RequestNames, validateRequestNameRef, validateRequestRefs } from './device-claim.ts';
import { maxConfigs, validateDeviceConfiguration, validateRawExtension } from './device-configuration.ts';
import { internalAllocation } from './internal-types.ts';
import { eachOf, eachOfSet } from './lists.ts';
import { validateDriverName, validatePoolName } from './names.ts';

/** (pkg/apis/resource/validation/validation.go) */

type ResourceClaim = Unvalidated<resource.ResourceClaim>;
type ResourceClaimStatus = Unvalidated<resource.ResourceClaimStatus>;

const maxReservedFor = 256;

/** (ValidateResourceClaimStatusUpdate) */
export function validateResourceClaimStatusUpdate(claim: ResourceClaim, { status: old = {} }: ResourceClaim, field: Field): void {
  const { metadata, spec, status = {} } = claim;
  const { allocation } = status;
  const devices = status.devices ?? [];
  const reservedFor = status.reservedFor ?? [];
  const at = field.child('status');
  const byUID = { items: reservedFor, max: maxReservedFor, member: 'uid', keyOf: ({ uid = '' }: ConsumerReference) => uid };
  eachOfSet(byUID, at.child('reservedFor'), validateResourceClaimUserReference);
  const allocated = new Set(allocation?.devices?.results?.map(deviceID));
  const shown = field.follows('DeviceIDIsShown') ? shownID : () => hiddenID;
  const byDevice = { items: devices, max: Number.POSITIVE_INFINITY, member: 'deviceID', keyOf: deviceID, shown };
  eachOfSet(byDevice, at.child('devices'), (device, each) => validateDeviceStatus(device, allocated, each));
  if (reservedFor.length > 0) validateReservation(status, old, metadata?.deletionTimestamp !== undefined, at);
  if (!allocation) return;
  const names = gatherRequestNames(spec?.devices?.requests ?? []);
  if (!old.allocation) validateAllocationResult(allocation, names, at.child('allocation'));
  else if (!equalPruned(allocation, old.allocation)) {
    at.child('allocation').invalid(internalAllocation(allocation), immutableText);
  }
}

type ConsumerReference = Unvalidated<resource.ResourceClaimConsumerReference>;

function validateResourceClaimUserReference({ resource: plural, name, uid }: ConsumerReference, field: Field): void {
  if (!plural) field.child('resource').required();
  if (!name) field.child('name').required();
  if (!uid) field.child('uid').required();
}

/** During deletion of a claim, consumers can only be removed. */
function validateReservation(
  { allocation, reservedFor }: ResourceClaimStatus,
  old: ResourceClaimStatus,
  isDeleted: boolean,
  status: Field,
): void {
  const field = status.child('reservedFor');
  if (!allocation) {
    field.forbidden('may not be specified when `allocated` is not set');
    return;
  }
  if (!isDeleted) return;
  const known = new Set(old.reservedFor?.map(consumerKey));
  if (!reservedFor?.every((consumer) => known.has(consumerKey(consumer)))) {
    field.forbidden('new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set');
  }
}

const consumerKey = ({ apiGroup = '', resource: plural = '', name = '', uid = '' }: ConsumerReference): string =>
  JSON.stringify([apiGroup, plural, name, uid]);

interface DeviceReference {
  readonly driver?: string;
  readonly pool?: string;
  readonly device?: string;
  readonly shareID?: string;
}

/** Returns the id of a device as Go shows it. (structured.MakeSharedDeviceID) */
const shownID = ({ driver = '', pool = '', device = '', shareID = '' }: DeviceReference): object => ({
  Driver: driver,
  Pool: pool,
  Device: device,
  ShareID: shareID,
});

/** The ID as shown before v1.35, without its unexported strings. */
const hiddenID = { Driver: {}, Pool: {}, Device: {}, ShareID: {} };

export const deviceID = (device: DeviceReference): string => JSON.stringify(shownID(device));

const maxConditions = 8;
const maxDataLength = 10 * 1024;

function validateDeviceStatus(device: Unvalidated<resource.AllocatedDeviceStatus>, allocated: ReadonlySet<string>, field: Field): void {
  const { data, networkData } = device;
  const conditions = device.conditions ?? [];
  validateDriverName(device.driver, field.child('driver'));
  validatePoolName(device.pool, field.child('pool'));
  validateFormat(device.device ?? '', dnsLabel, field.child('device'));
  if (!allocated.has(deviceID(device))) {
    const shown = field.follows('DeviceIDIsShown') ? shownID(device) : hiddenID;
    field.invalid(shown, 'must be an allocated device in the claim');
  }
  if (conditions.length > maxConditions) field.child('conditions').tooMany(conditions.length, maxConditions);
  validateConditions(conditions, field.child('conditions'));
  if (data !== undefined && data !== null) validateRawExtension(data, field.child('data'), maxDataLength);
  if (networkData) validateNetworkDeviceData(networkData, field.child('networkData'));
}

const maxInterfaceNameLength = 256;
const maxHardwareAddressLength = 128;
const maxIPs = 16;

function validateNetworkDeviceData(
  { interfaceName = '', hardwareAddress = '', ips }: Unvalidated<resource.NetworkDeviceData>,
  field: Field,
): void {
  const name = field.child('interfaceName');
  if (byteLength(interfaceName) > maxInterfaceNameLength) name.tooLong(interfaceName, maxInterfaceNameLength);
  const address = field.child('hardwareAddress');
  if (byteLength(hardwareAddress) > maxHardwareAddressLength) address.tooLong(hardwareAddress, maxHardwareAddressLength);
  eachOfSet({ items: ips ?? [], max: maxIPs, keyOf: (ip) => ip }, field.child('ips'), validateInterfaceAddress);
}

const maxResults = 32;

/** Validates a new allocation. Binding conditions and shares are dropped before. */
function validateAllocationResult(
  { devices = {}, nodeSelector }: Unvalidated<resource.AllocationResult>,
  names: RequestNames,
  field: Field,
): void {
  const at = field.child('devices');
  eachOf(devices.results ?? [], maxResults, at.child('results'), (result, each) => {
    validateRequestNameRef(result.request ?? '', names, each.child('request'));
    validateDriverName(result.driver, each.child('driver'));
    validatePoolName(result.pool, each.child('pool'));
    validateFormat(result.device ?? '', dnsLabel, each.child('device'));
  });
  eachOf(devices.config ?? [], 2 * maxConfigs, at.child('config'), (config, each) => {
    validateAllocationConfigSource(config.source, each.child('source'));
    validateRequestRefs(config.requests, names, each.child('requests'));
    validateDeviceConfiguration(config, each);
  });
  if (nodeSelector) validateNodeSelector(nodeSelector, field.child('nodeSelector'));
}

function validateAllocationConfigSource(source: string | undefined, field: Field): void {
  if (!source) field.required();
  else if (source !== 'FromClaim' && source !== 'FromClass') field.notSupported(source, ['FromClaim', 'FromClass']);
}
