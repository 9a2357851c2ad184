import { quote } from '../../../machinery/go/quote.ts';
import { areEnough } from '../../warnings.ts';
import { type ContainerPosition, containerPath } from './container-warnings.ts';

/** A port of a container, with its position. */
interface Port {
  readonly position: ContainerPosition;
  readonly index: number;
  /** The position among all ports of the pod. */
  readonly rank: number;
  readonly number: number;
  readonly protocol: string;
  readonly hostPort: number;
  readonly hostIP: string;
  readonly name: string;
}

/** Warns about ports that conflict or could be confused. (warningsForPodPortConflicts) */
export function addPortWarnings(positions: readonly ContainerPosition[], warnings: string[]): void {
  const ports: Port[] = [];
  for (const position of positions) collectPorts(position, ports);
  if (ports.length === 0) return;
  addConflictWarnings(ports, warnings);
  if (ports.length > 1) addPortNameWarnings(ports, warnings);
}

function collectPorts(position: ContainerPosition, ports: Port[]): void {
  const own = position.container.ports ?? [];
  for (const [index, port] of own.entries()) {
    const { containerPort = 0, protocol = '', hostPort = 0, hostIP = '', name = '' } = port;
    ports.push({ position, index, rank: ports.length, number: containerPort, protocol, hostPort, hostIP, name });
  }
}

const pathOf = ({ position, index }: Port): string => `${containerPath(position)}.ports[${index}]`;

function addConflictWarnings(ports: readonly Port[], warnings: string[]): void {
  const byNumber = new Map<string, PortIndex>();
  for (const port of ports) {
    if (port.hostIP !== '' && port.hostPort === 0) {
      warnings.push(`${pathOf(port)}: hostIP set without hostPort: ${structText(port)}`);
    }
    const key = `${port.number}/${port.protocol}`;
    let earlier = byNumber.get(key);
    if (earlier === undefined) {
      earlier = new PortIndex();
      byNumber.set(key, earlier);
    }
    for (const other of earlier.conflictsWith(port)) {
      if (areEnough(warnings)) return;
      warnings.push(`${pathOf(port)}: ${conflictText(port, other)} port definition with ${pathOf(other)}`);
    }
    earlier.add(port);
  }
}

/** The ports with one number and protocol. */
class PortIndex {
  readonly #all: Port[] = [];
  /** Ports by host port, and by host port and host IP. Built on first use. */
  #byHost: Map<string, Port[]> | undefined;

  add(port: Port): void {
    this.#all.push(port);
    if (this.#byHost) addByHost(port, this.#byHost);
  }

  /**
   * Returns the earlier ports that conflict with a port, in their order. Every port conflicts with a port without a
   * host port. Otherwise, ports without a host port conflict, and ports with the same host port and possibly the same
   * host IP.
   */
  conflictsWith({ hostPort, hostIP }: Port): readonly Port[] {
    if (hostPort === 0) return this.#all;
    if (this.#byHost === undefined) {
      this.#byHost = new Map();
      for (const port of this.#all) addByHost(port, this.#byHost);
    }
    const found: Port[] = [];
    for (const key of hostIP === '' ? ['0', `${hostPort}`] : ['0', `${hostPort}/`, `${hostPort}/${hostIP}`]) {
      for (const port of this.#byHost.get(key) ?? []) found.push(port);
    }
    return found.sort((a, b) => a.rank - b.rank);
  }
}

function addByHost(port: Port, byHost: Map<string, Port[]>): void {
  for (const key of [`${port.hostPort}`, `${port.hostPort}/${port.hostIP}`]) {
    const ports = byHost.get(key);
    if (ports === undefined) byHost.set(key, [port]);
    else ports.push(port);
  }
}

function conflictText(port: Port, other: Port): string {
  if (port.hostPort === other.hostPort && port.hostIP === other.hostIP) return 'duplicate';
  return port.hostPort === 0 || other.hostPort === 0 ? 'overlapping' : 'dangerously ambiguous';
}

/** Formats the struct as Go does. */
const structText = ({ name, hostPort, number, protocol, hostIP }: Port): string =>
  `{Name:${name} HostPort:${hostPort} ContainerPort:${number} Protocol:${protocol} HostIP:${hostIP}}`;

function addPortNameWarnings(ports: readonly Port[], warnings: string[]): void {
  const firstByName = new Map<string, Port>();
  for (const port of ports) {
    const { name } = port;
    if (name === '') continue;
    const other = firstByName.get(name);
    if (other === undefined) {
      firstByName.set(name, port);
      continue;
    }
    const path = pathOf(other);
    const effect = `services and probes that select ports by name will use ${path}`;
    warnings.push(`${pathOf(port)}: duplicate port name ${quote(name)} with ${path}, ${effect}`);
  }
}
