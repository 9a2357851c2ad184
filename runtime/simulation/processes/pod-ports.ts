import { createServer } from 'node:net';
import type { Container, ContainerPort, Probe } from '../../../generated/v1.35/core/v1/types.ts';
import type { PodProgram } from '../../options/pod-programs.ts';

/** The real ports of a pod's declared ones. */
export class PodPorts {
  readonly #real = new Map<number, number>();

  /** Returns the real port; the port itself if nothing else is known. */
  realPortOf(port: number): number {
    return this.#real.get(port) ?? port;
  }

  has(port: number): boolean {
    return this.#real.has(port);
  }

  entries(): Iterable<readonly [declared: number, real: number]> {
    return this.#real;
  }

  /** Chooses the real ports of a container's declared ones, unless they have some. */
  async choose(container: Container, { ports }: Pick<PodProgram, 'ports'>, address: string): Promise<void> {
    const isFree = (ports ?? (process.platform === 'linux' ? 'declared' : 'free')) === 'free';
    for (const port of declaredPorts(container)) {
      if (!this.#real.has(port)) this.#real.set(port, isFree ? await freePort(address) : port);
    }
  }
}

/** Returns the TCP ports that a container declares, and those of its probes. */
export function declaredPorts({ ports = [], livenessProbe, readinessProbe, startupProbe }: Container): ReadonlySet<number> {
  const isTcp = ({ protocol = 'TCP' }: ContainerPort): boolean => protocol === 'TCP';
  const declared = ports.filter(isTcp).map(({ containerPort }) => containerPort);
  return new Set([...declared, ...[livenessProbe, readinessProbe, startupProbe].flatMap((probe) => (probe ? portsOf(probe) : []))]);
}

function portsOf({ httpGet, tcpSocket, grpc }: Probe): readonly number[] {
  const ports = [httpGet?.port, tcpSocket?.port, grpc?.port];
  return ports.filter((port): port is number => typeof port === 'number');
}

/** Returns a port on which nothing listens at the moment. */
function freePort(address: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, address, () => {
      const at = server.address();
      server.close(() => resolve(typeof at === 'object' && at !== null ? at.port : 0));
    });
  });
}
