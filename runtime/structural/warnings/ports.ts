import type { Part } from '../../machinery/object.ts';
import { quote } from '../../machinery/quote.ts';
import { type Seat, seatPath } from './containers.ts';

/** A port of a container, and where it stands. */
interface Port {
  readonly at: string;
  readonly number: number;
  readonly protocol: string;
  readonly hostPort: number;
  readonly hostIP: string;
  readonly name: string;
}

/** Ports that are, or could be taken for, one another. */
export function warnOfPorts(seats: readonly Seat[], warnings: string[]): void {
  if (!seats.some(({ container }) => container.ports?.length > 0)) return;
  const ports = seats.flatMap(portsOf);
  warnOfClashes(ports, warnings);
  warnOfNames(ports, warnings);
}

const portsOf = (seat: Seat): Port[] =>
  (seat.container.ports ?? []).map((port: Part, index: number) => ({
    at: `${seatPath(seat)}.ports[${index}]`,
    number: Number(port.containerPort ?? 0),
    protocol: port.protocol ?? '',
    hostPort: Number(port.hostPort ?? 0),
    hostIP: port.hostIP ?? '',
    name: port.name ?? '',
  }));

function warnOfClashes(ports: readonly Port[], warnings: string[]): void {
  const known = new Map<string, Port[]>();
  for (const port of ports) {
    if (port.hostIP !== '' && port.hostPort === 0) {
      warnings.push(`${port.at}: hostIP set without hostPort: ${structText(port)}`);
    }
    const key = `${port.number}/${port.protocol}`;
    const others = known.get(key);
    if (others === undefined) {
      known.set(key, [port]);
      continue;
    }
    for (const other of others) {
      const how = clashOf(port, other);
      if (how !== undefined) warnings.push(`${port.at}: ${how} port definition with ${other.at}`);
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
  const first = new Map<string, string>();
  for (const { name, at } of ports) {
    if (name === '') continue;
    const other = first.get(name);
    if (other === undefined) first.set(name, at);
    else {
      const effect = `services and probes that select ports by name will use ${other}`;
      warnings.push(`${at}: duplicate port name ${quote(name)} with ${other}, ${effect}`);
    }
  }
}
