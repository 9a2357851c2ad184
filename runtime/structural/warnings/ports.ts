import type { Part } from '../../machinery/object.ts';
import { quote } from '../../machinery/quote.ts';
import { type Seat, seatPath } from './containers.ts';

/** A port of a container, and where it stands. */
interface Port {
  readonly seat: Seat;
  readonly index: number;
  readonly number: number;
  readonly protocol: string;
  readonly hostPort: number;
  readonly hostIP: string;
  readonly name: string;
}

/** Ports that are, or could be taken for, one another. */
export function warnOfPorts(seats: readonly Seat[], warnings: string[]): void {
  const ports: Port[] = [];
  for (const seat of seats) collectPorts(seat, ports);
  if (ports.length === 0) return;
  warnOfClashes(ports, warnings);
  if (ports.length > 1) warnOfNames(ports, warnings);
}

function collectPorts(seat: Seat, ports: Port[]): void {
  const own: readonly Part[] = seat.container.ports ?? [];
  for (let index = 0; index < own.length; index++) {
    const { containerPort = 0, protocol = '', hostPort = 0, hostIP = '', name = '' } = own[index];
    ports.push({ seat, index, number: containerPort, protocol, hostPort, hostIP, name });
  }
}

const placeOf = ({ seat, index }: Port): string => `${seatPath(seat)}.ports[${index}]`;

function warnOfClashes(ports: readonly Port[], warnings: string[]): void {
  const known = new Map<string, Port[]>();
  for (const port of ports) {
    if (port.hostIP !== '' && port.hostPort === 0) {
      warnings.push(`${placeOf(port)}: hostIP set without hostPort: ${structText(port)}`);
    }
    const key = `${port.number}/${port.protocol}`;
    const others = known.get(key);
    if (others === undefined) {
      known.set(key, [port]);
      continue;
    }
    for (const other of others) {
      const how = clashOf(port, other);
      if (how !== undefined) warnings.push(`${placeOf(port)}: ${how} port definition with ${placeOf(other)}`);
    }
    others.push(port);
  }
}

function clashOf(port: Port, other: Port): string | undefined {
  const samePort = port.hostPort === other.hostPort;
  if (samePort && port.hostIP === other.hostIP) return 'duplicate';
  if (port.hostPort === 0 || other.hostPort === 0) return 'overlapping';
  return samePort && (port.hostIP === '' || other.hostIP === '') ? 'dangerously ambiguous' : undefined;
}

/** As Go prints the struct. */
const structText = ({ name, hostPort, number, protocol, hostIP }: Port): string =>
  `{Name:${name} HostPort:${hostPort} ContainerPort:${number} Protocol:${protocol} HostIP:${hostIP}}`;

function warnOfNames(ports: readonly Port[], warnings: string[]): void {
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
