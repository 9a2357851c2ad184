import type * as core from '../../../../generated/v1.35/core/v1/types.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import type { Field } from '../../../machinery/validation/field.ts';
import { portName } from '../../../structural/formats.ts';
import { validateFormat, validatePortNum, validateRequiredEnum } from '../../validation/fields.ts';

/** Container ports and host ports. (pkg/apis/core/validation) */

type Container = Unvalidated<core.Container>;

const protocols = ['SCTP', 'TCP', 'UDP'];

/** (validateContainerPorts) */
export function validateContainerPorts(ports: Container['ports'], field: Field): void {
  if (!ports?.length) return;
  const names = new Set<string>();
  for (const [index, port] of ports.entries()) {
    const at = field.index(index);
    if (port.name) validatePortName(port.name, names, at.child('name'));
    if (!port.containerPort) at.child('containerPort').required();
    else validatePortNum(port.containerPort, at.child('containerPort'));
    if (port.hostPort) validatePortNum(port.hostPort, at.child('hostPort'));
    validateRequiredEnum(port.protocol, protocols, at.child('protocol'));
  }
}

function validatePortName(name: string, names: Set<string>, field: Field): void {
  const before = field.errors.length;
  validateFormat(name, portName, field);
  if (field.errors.length > before) return;
  if (names.has(name)) field.duplicate(name);
  names.add(name);
}

/** (checkHostPortConflicts) */
export function checkHostPortConflicts(containers: readonly Container[], field: Field): void {
  const seen = new Set<string>();
  for (const [index, { ports }] of containers.entries()) {
    if (ports) accumulateUniqueHostPorts(ports, seen, field.index(index).child('ports'));
  }
}

/** (AccumulateUniqueHostPorts) */
function accumulateUniqueHostPorts(ports: readonly Unvalidated<core.ContainerPort>[], seen: Set<string>, field: Field): void {
  for (const [index, { hostPort, hostIP = '', protocol = '' }] of ports.entries()) {
    if (!hostPort) continue;
    const key = `${protocol}/${hostIP}/${hostPort}`;
    if (seen.has(key)) field.index(index).child('hostPort').duplicate(key);
    seen.add(key);
  }
}

/**
 * In the host's network, container ports equal host ports. Templates may omit host ports, which are a default of pods.
 * (validatePodHostNetworkDeps)
 */
export function validatePodHostNetworkDeps(spec: Unvalidated<core.PodSpec>, isPod: boolean, field: Field): void {
  if (!spec.hostNetwork) return;
  const containers = field.child('containers');
  for (const [index, { ports }] of (spec.containers ?? []).entries()) {
    for (const [portIndex, { hostPort = 0, containerPort = 0 }] of (ports ?? []).entries()) {
      if (hostPort === containerPort || (!isPod && hostPort === 0)) continue;
      const at = containers.index(index).child('ports').index(portIndex).child('hostPort');
      at.invalid(hostPort, 'must match `containerPort` when `hostNetwork` is true');
    }
  }
}
