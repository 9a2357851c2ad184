import type { Pod } from '../../../../generated/v1.35/core/v1/types.ts';

/** A port of the node that a container uses. */
export interface HostPort {
  /** Protocol and number. */
  readonly port: string;
  readonly ip: string;
}

const everyIP = '0.0.0.0';

/** Returns the host ports of containers and of restartable init containers. (pkg/scheduler/util GetHostPorts) */
export function hostPortsOf({ spec }: Pod): HostPort[] {
  const ports: HostPort[] = [];
  const restartable = spec?.initContainers?.filter(({ restartPolicy }) => restartPolicy === 'Always') ?? [];
  for (const container of [...(spec?.containers ?? []), ...restartable]) {
    for (const { hostPort, hostIP, protocol } of container.ports ?? []) {
      if (hostPort) ports.push({ port: `${protocol ?? 'TCP'}/${hostPort}`, ip: hostIP || everyIP });
    }
  }
  return ports;
}

/** The ports in use on a node. (kube-scheduler/framework HostPortInfo) */
export class HostPortInfo {
  readonly #ips = new Map<string, string[]>();

  add({ port, ip }: HostPort): void {
    this.#ips.set(port, [...(this.#ips.get(port) ?? []), ip]);
  }

  remove({ port, ip }: HostPort): void {
    const ips = this.#ips.get(port) ?? [];
    const index = ips.indexOf(ip);
    if (index < 0) return;
    if (ips.length === 1) this.#ips.delete(port);
    else this.#ips.set(port, ips.toSpliced(index, 1));
  }

  conflictsWith({ port, ip }: HostPort): boolean {
    const ips = this.#ips.get(port);
    return ips !== undefined && (ip === everyIP || ips.includes(everyIP) || ips.includes(ip));
  }

  clone(): HostPortInfo {
    const copy = new HostPortInfo();
    for (const [port, ips] of this.#ips) copy.#ips.set(port, ips);
    return copy;
  }
}
