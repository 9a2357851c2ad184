import { quote } from '../../../machinery/go/quote.ts';
import type { Part } from '../../../machinery/object.ts';
import { areEnough } from '../../warnings.ts';
import { type ContainerPosition, containerPath } from './container-warnings.ts';

/** A port of a container, and where it stands. */
interface Port {
  readonly seat: ContainerPosition;
  readonly index: number;
  /** Among all ports of the pod. */
  readonly rank: number;
  readonly number: number;
  readonly protocol: string;
  readonly hostPort: number;
  readonly hostIP: string;
  readonly name: string;
}

/** Ports that are, or could be taken for, one another. */
export function addPortWarnings(seats: readonly ContainerPosition[], warnings: string[]): void {
  const ports: Port[] = [];
  for (const seat of seats) collectPorts(seat, ports);
  if (ports.length === 0) return;
  addConflictWarnings(ports, warnings);
  if (ports.length > 1) addPortNameWarnings(ports, warnings);
}

function collectPorts(seat: ContainerPosition, ports: Port[]): void {
  const own: readonly Part[] = seat.container.ports ?? [];
  for (let index = 0; index < own.length; index++) {
    const { containerPort = 0, protocol = '', hostPort = 0, hostIP = '', name = '' } = own[index];
    ports.push({ seat, index, rank: ports.length, number: containerPort, protocol, hostPort, hostIP, name });
  }
}

const placeOf = ({ seat, index }: Port): string => `${containerPath(seat)}.ports[${index}]`;

function addConflictWarnings(ports: readonly Port[], warnings: string[]): void {
  const known = new Map<string, KnownPorts>();
  for (const port of ports) {
    if (port.hostIP !== '' && port.hostPort === 0) {
      warnings.push(`${placeOf(port)}: hostIP set without hostPort: ${structText(port)}`);
    }
    const key = `${port.number}/${port.protocol}`;
    let others = known.get(key);
    if (others === undefined) {
      others = new KnownPorts();
      known.set(key, others);
    }
    for (const other of others.clashingWith(port)) {
      if (areEnough(warnings)) return;
      warnings.push(`${placeOf(port)}: ${clashOf(port, other)} port definition with ${placeOf(other)}`);
    }
    others.add(port);
  }
}

/** Ports of one number and protocol. */
class KnownPorts {
  readonly #all: Port[] = [];
  /** By port of the host, and by that and its address; made when a port first asks for it. */
  #byHost: Map<string, Port[]> | undefined;

  add(port: Port): void {
    this.#all.push(port);
    if (this.#byHost) index(port, this.#byHost);
  }

  /** Without a port of the host a port clashes with all others; with one, where that is the same and the address may be. */
  clashingWith({ hostPort, hostIP }: Port): readonly Port[] {
    if (hostPort === 0) return this.#all;
    if (this.#byHost === undefined) {
      this.#byHost = new Map();
      for (const port of this.#all) index(port, this.#byHost);
    }
    const found: Port[] = [];
    for (const key of hostIP === '' ? ['0', `${hostPort}`] : ['0', `${hostPort}/`, `${hostPort}/${hostIP}`]) {
      for (const port of this.#byHost.get(key) ?? []) found.push(port);
    }
    return found.sort((a, b) => a.rank - b.rank);
  }
}

function index(port: Port, byHost: Map<string, Port[]>): void {
  for (const key of [`${port.hostPort}`, `${port.hostPort}/${port.hostIP}`]) {
    const ports = byHost.get(key);
    if (ports === undefined) byHost.set(key, [port]);
    else ports.push(port);
  }
}

function clashOf(port: Port, other: Port): string {
  if (port.hostPort === other.hostPort && port.hostIP === other.hostIP) return 'duplicate';
  return port.hostPort === 0 || other.hostPort === 0 ? 'overlapping' : 'dangerously ambiguous';
}

/** As Go prints the struct. */
const structText = ({ name, hostPort, number, protocol, hostIP }: Port): string =>
  `{Name:${name} HostPort:${hostPort} ContainerPort:${number} Protocol:${protocol} HostIP:${hostIP}}`;

function addPortNameWarnings(ports: readonly Port[], warnings: string[]): void {
  const first = new Map<string, Port>();
  for (const port of ports) {
    const { name } = port;
    if (name === '') continue;
    const other = first.get(name);
    if (other === undefined) {
      first.set(name, port);
      continue;
    }
    const place = placeOf(other);
    const effect = `services and probes that select ports by name will use ${place}`;
    warnings.push(`${placeOf(port)}: duplicate port name ${quote(name)} with ${place}, ${effect}`);
  }
}
