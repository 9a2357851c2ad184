import { duplicate, forbidden, invalid, notSupported, required } from '../../machinery/field-error.ts';
import type { FieldPath } from '../../machinery/field-path.ts';
import type { Part } from '../../machinery/object.ts';
import {
  checkCIDR,
  checkEnum,
  checkFormat,
  checkImmutable,
  checkIP,
  checkPort,
  checkRequiredEnum,
  cidrVersion,
  type Errors,
  ipVersion,
  sameValue,
  selectorMatches,
} from './checks.ts';
import { checkAccessModes } from './claims.ts';
import { checkNodeSelector, checkTaintEffect } from './placement.ts';
import { checkPodTemplate } from './pods.ts';
import { checkReplicaCounts, countsOf } from './replica-counts.ts';
import { checkAmount, checkPositiveAmount } from './resource-lists.ts';
import { checkNonSpecialIP } from './services.ts';
import { dnsLabel, dnsSubdomain, labelValue, qualifiedName } from './text-formats.ts';
import { checkDriverName, checkHostPath, checkNFS } from './volumes.ts';

/** Nodes, namespaces, volumes, endpoints, replication controllers, events. (pkg/apis/core/validation) */

/** (validateNodeTaints) Upstream says of the metadata what is wrong with the spec's taints. */
function checkTaints(taints: readonly Part[], path: FieldPath, errors: Errors): void {
  const seen = new Set<string>();
  for (const [index, taint] of taints.entries()) {
    const at = path.index(index);
    const { key = '', value = '', effect = '' } = taint;
    checkFormat(key, qualifiedName, at.child('key'), errors);
    const wrong = labelValue(value);
    if (wrong.length > 0) errors.push(invalid(at.child('value'), value, wrong.join(';')));
    if (effect === '') errors.push(required(at.child('effect')));
    else checkTaintEffect(effect, at.child('effect'), errors);
    if (seen.has(`${effect} ${key}`)) {
      errors.push({ ...duplicate(at, taint), detail: 'taints must be unique by key and effect pair' });
    }
    seen.add(`${effect} ${key}`);
  }
}

export function validateNode(node: Part, path: FieldPath, errors: Errors): void {
  checkTaints(node.spec?.taints ?? [], path.child('metadata', 'taints'), errors);
  for (const list of ['capacity', 'allocatable']) {
    const amounts = node.status?.[list] ?? {};
    for (const name of Object.keys(amounts)) checkAmount(name, amounts[name], path.child('status', list, name), errors);
  }
  const ranges: readonly string[] = node.spec?.podCIDRs ?? [];
  const at = path.child('spec', 'podCIDRs');
  for (const [index, range] of ranges.entries()) checkCIDR(range, at.index(index), errors);
  if (ranges.length > 1 && (ranges.length > 2 || new Set(ranges.map(cidrVersion)).size < 2)) {
    errors.push(invalid(at, ranges, 'may specify no more than one CIDR for each IP family'));
  }
}

export function updateNode(node: Part, old: Part, path: FieldPath, errors: Errors): void {
  const spec = path.child('spec');
  if (old.spec?.podCIDRs?.length > 0 && !sameValue(node.spec?.podCIDRs, old.spec.podCIDRs)) {
    errors.push(forbidden(spec.child('podCIDRs'), 'node updates may not change podCIDR except from "" to valid'));
  }
  if (old.spec?.providerID && node.spec?.providerID !== old.spec.providerID) {
    errors.push(forbidden(spec.child('providerID'), 'node updates may not change providerID except from "" to valid'));
  }
}

export function validateNamespace(namespace: Part, path: FieldPath, errors: Errors): void {
  const at = path.child('spec', 'finalizers');
  for (const finalizer of namespace.spec?.finalizers ?? []) {
    const before = errors.length;
    checkFormat(finalizer, qualifiedName, at, errors);
    if (errors.length > before || finalizer.includes('/') || standardFinalizers.has(finalizer)) continue;
    const detail = 'name is neither a standard finalizer name nor is it fully qualified';
    errors.push(invalid(at, finalizer, detail));
  }
}
const standardFinalizers: ReadonlySet<string> = new Set(['kubernetes', 'orphan', 'foregroundDeletion']);

/** What a persistent volume is not: the rest of its spec is its source. */
const notSources: ReadonlySet<string> = new Set([
  'capacity',
  'accessModes',
  'claimRef',
  'persistentVolumeReclaimPolicy',
  'storageClassName',
  'mountOptions',
  'volumeMode',
  'nodeAffinity',
  'volumeAttributesClassName',
]);

/** (ValidatePersistentVolumeSpec) */
export function validateVolume(volume: Part, path: FieldPath, errors: Errors): void {
  const spec = volume.spec ?? {};
  const at = path.child('spec');
  if (!spec.accessModes?.length) errors.push(required(at.child('accessModes')));
  checkAccessModes(spec.accessModes ?? [], at.child('accessModes'), errors);
  const names = Object.keys(spec.capacity ?? {});
  if (names.length === 0) errors.push(required(at.child('capacity')));
  if (!names.includes('storage') || names.length > 1) {
    errors.push(notSupported(at.child('capacity'), spec.capacity, ['storage']));
  }
  for (const name of names) checkPositiveAmount(spec.capacity[name], at.child('capacity').key(name), errors);
  if (spec.nodeAffinity) {
    const required_ = at.child('nodeAffinity', 'required');
    if (spec.nodeAffinity.required) checkNodeSelector(spec.nodeAffinity.required, required_, errors);
    else errors.push(required(required_, 'must specify required node constraints'));
  }
  checkVolumeSource(spec, at, errors);
  if (spec.storageClassName) checkFormat(spec.storageClassName, dnsSubdomain, at.child('storageClassName'), errors);
}

function checkVolumeSource(spec: Part, path: FieldPath, errors: Errors): void {
  const given = Object.keys(spec).filter((name) => !notSources.has(name) && spec[name] !== undefined);
  if (given.length === 0) errors.push(required(path, 'must specify a volume type'));
  for (const name of given.slice(1))
    errors.push(forbidden(path.child(name), 'may not specify more than 1 volume type'));
  const [name] = given;
  if (name === 'hostPath') {
    checkHostPath(spec.hostPath, path.child('hostPath'), errors);
    if (/^\/+$/.test(spec.hostPath.path ?? '') && spec.persistentVolumeReclaimPolicy === 'Recycle') {
      const detail = "may not be 'recycle' for a hostPath mount of '/'";
      errors.push(forbidden(path.child('persistentVolumeReclaimPolicy'), detail));
    }
  } else if (name === 'nfs') checkNFS(spec.nfs, path.child('nfs'), errors);
  else if (name === 'csi') {
    checkDriverName(spec.csi.driver, path.child('csi', 'driver'), errors);
    if (!spec.csi.volumeHandle) errors.push(required(path.child('csi', 'volumeHandle')));
  } else if (name === 'local') {
    if (!spec.local.path) errors.push(required(path.child('local', 'path')));
    if (!spec.nodeAffinity) errors.push(required(path.child('nodeAffinity'), 'Local volume requires node affinity'));
  }
}

/** (ValidatePersistentVolumeUpdate) */
export function updateVolume(volume: Part, old: Part, path: FieldPath, errors: Errors): void {
  const sourceOf = ({ spec = {} }: Part): Part =>
    Object.fromEntries(Object.entries(spec).filter(([name]) => !notSources.has(name)));
  const source = sourceOf(volume);
  const before = sourceOf(old);
  if (source.csi && before.csi && before.csi.controllerExpandSecretRef === undefined) {
    source.csi = { ...source.csi, controllerExpandSecretRef: undefined };
  }
  if (!sameValue(source, before)) {
    const detail = 'spec.persistentvolumesource is immutable after creation\n';
    errors.push(forbidden(path.child('spec', 'persistentvolumesource'), detail));
  }
  checkImmutable(volume.spec?.volumeMode, old.spec?.volumeMode, path.child('volumeMode'), errors);
}

/** (validateEndpointSubsets) */
export function validateEndpoints(endpoints: Part, path: FieldPath, errors: Errors): void {
  for (const [index, { addresses = [], notReadyAddresses = [], ports = [] }] of (endpoints.subsets ?? []).entries()) {
    const at = path.child('subsets').index(index);
    if (addresses.length === 0 && notReadyAddresses.length === 0) {
      errors.push(required(at, 'must specify `addresses` or `notReadyAddresses`'));
    }
    for (const [place, address] of addresses.entries()) {
      checkEndpointAddress(address, at.child('addresses').index(place), errors);
    }
    for (const [place, address] of notReadyAddresses.entries()) {
      checkEndpointAddress(address, at.child('notReadyAddresses').index(place), errors);
    }
    for (const [place, port] of ports.entries()) {
      const each = at.child('ports').index(place);
      if (port.name) checkFormat(port.name, dnsLabel, each.child('name'), errors);
      else if (ports.length > 1) errors.push(required(each.child('name')));
      checkPort(port.port ?? 0, each.child('port'), errors);
      checkRequiredEnum(port.protocol, ['SCTP', 'TCP', 'UDP'], each.child('protocol'), errors);
      if (port.appProtocol !== undefined)
        checkFormat(port.appProtocol, qualifiedName, each.child('appProtocol'), errors);
    }
  }
}

function checkEndpointAddress({ ip = '', hostname, nodeName }: Part, path: FieldPath, errors: Errors): void {
  checkIP(ip, path.child('ip'), errors);
  if (hostname) checkFormat(hostname, dnsLabel, path.child('hostname'), errors);
  if (nodeName !== undefined) checkFormat(nodeName, dnsSubdomain, path.child('nodeName'), errors);
  if (ipVersion(ip) === 0) errors.push(invalid(path.child('ip'), ip, 'must be a valid IP address'));
  else checkNonSpecialIP(ip, path.child('ip'), errors);
}

/** (ValidateReplicationControllerSpec) Its numbers are checked by the markers of their Go fields. */
export function validateReplicationController(controller: Part, path: FieldPath, errors: Errors): void {
  checkReplicaCounts(controller, countsOf.replicationController, path, errors);
  const spec = controller.spec ?? {};
  const at = path.child('spec');
  const selects = Object.keys(spec.selector ?? {}).length > 0;
  if (!selects) errors.push(required(at.child('selector')));
  const template = at.child('template');
  if (!spec.template) {
    errors.push(required(template));
    return;
  }
  const labels = spec.template.metadata?.labels ?? {};
  if (selects && !selectorMatches({ matchLabels: spec.selector }, labels)) {
    const detail = '`selector` does not match template `labels`';
    errors.push(invalid(template.child('metadata', 'labels'), labels, detail));
  }
  checkPodTemplate(spec.template, template, errors);
  const restartPolicy = spec.template.spec?.restartPolicy ?? '';
  checkEnum(restartPolicy, ['Always'], template.child('spec', 'restartPolicy'), errors);
  if (spec.template.spec?.activeDeadlineSeconds !== undefined) {
    const detail = 'activeDeadlineSeconds in ReplicationController is not Supported';
    errors.push(forbidden(template.child('spec', 'activeDeadlineSeconds'), detail));
  }
}

/** (pkg/apis/core/validation/events.go, legacyValidateEvent) */
export function validateEvent(event: Part, path: FieldPath, errors: Errors): void {
  const namespace = event.metadata?.namespace ?? '';
  const involved = event.involvedObject?.namespace ?? '';
  const fits = involved === '' ? namespace === '' || namespace === 'default' : namespace === involved;
  if (!fits)
    errors.push(invalid(path.child('involvedObject', 'namespace'), involved, 'does not match event.namespace'));
}

/** (ValidateEventCreate) Events of the new API tell when, who, what and why. */
export function validateNewEvent(event: Part, path: FieldPath, errors: Errors): void {
  const namespace = event.metadata?.namespace ?? '';
  const regarding = event.regarding?.namespace ?? '';
  const fits = regarding === '' ? namespace === '' || namespace === 'default' : namespace === regarding;
  if (!fits)
    errors.push(invalid(path.child('involvedObject', 'namespace'), regarding, 'does not match event.namespace'));
  if (!event.eventTime) errors.push(required(path.child('eventTime')));
  if (!event.reportingController) errors.push(required(path.child('reportingController')));
  else checkFormat(event.reportingController, qualifiedName, path.child('reportingController'), errors);
  for (const name of ['reportingInstance', 'action', 'reason']) {
    if (!event[name]) errors.push(required(path.child(name)));
    else if (event[name].length > 128) errors.push(invalid(path.child(name), '', 'can have at most 128 characters'));
  }
  if (event.note?.length > 1024) errors.push(invalid(path.child('message'), '', 'can have at most 1024 characters'));
  if (event.type !== 'Normal' && event.type !== 'Warning') {
    errors.push(invalid(path.child('type'), '', `has invalid value: ${event.type ?? ''}`));
  }
}
