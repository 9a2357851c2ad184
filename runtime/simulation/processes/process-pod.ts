import type { Duplex } from 'node:stream';
import type { Pod } from '../../../generated/v1.35/core/v1/types.ts';
import { dialAddress } from '../../client/transport/dial.ts';
import type { ClusterNetwork } from '../network/cluster-network.ts';
import { DialFault } from '../network/dial-fault.ts';
import type { Endpoint } from '../network/endpoint.ts';
import { listeningAddress } from './listening-sockets.ts';
import type { PodFolder } from './pod-folder.ts';
import { PodPorts } from './pod-ports.ts';
import type { ProcessGroup } from './process-group.ts';

export interface ProcessPodOf {
  readonly folder: PodFolder;
  /** The address of this machine at which programs of the pod listen. */
  readonly address: string;
  readonly network: ClusterNetwork;
}

/** A pod with containers that are processes: its files, its ports, and what runs. */
export class ProcessPod {
  readonly folder: PodFolder;
  readonly address: string;
  readonly ports = new PodPorts();
  readonly #network: ClusterNetwork;
  readonly #groups = new Set<ProcessGroup>();
  #stopListening: (() => void)[] = [];

  constructor({ folder, address, network }: ProcessPodOf) {
    this.folder = folder;
    this.address = address;
    this.#network = network;
  }

  /** Notes that a process runs, whose ports clients of the pod reach. */
  add(group: ProcessGroup, pod: Pod): void {
    this.#groups.add(group);
    if (this.#stopListening.length === 0) this.#listen(pod);
    void group.ended.then(() => {
      this.#groups.delete(group);
      if (this.#groups.size === 0) this.#close();
    });
  }

  /** Kills what runs. Resolves when it has ended. */
  async kill(): Promise<void> {
    const groups = [...this.#groups];
    for (const group of groups) group.kill();
    await Promise.all(groups.map(({ ended }) => ended));
    this.#close();
  }

  #listen({ spec, status }: Pod): void {
    const address = status?.podIP;
    if (address === undefined) return;
    const listener = (_from: Endpoint, to: Endpoint): Promise<Duplex> => this.#connect(to.port);
    // pods in the network of their node share its address
    const ports = spec?.hostNetwork ? [...this.ports.entries()].map(([port]) => port) : [undefined];
    for (const port of ports) {
      try {
        this.#stopListening.push(this.#network.listen({ address, port, protocol: 'TCP' }, listener));
      } catch {
        // another pod of the node has the port
      }
    }
  }

  #close(): void {
    for (const stop of this.#stopListening) stop();
    this.#stopListening = [];
  }

  async #connect(port: number): Promise<Duplex> {
    const real = this.ports.realPortOf(port);
    const host = await this.#placeOf(port, real);
    if (host === undefined) throw new DialFault('ECONNREFUSED');
    try {
      return await dialAddress({ host, port: real });
    } catch {
      throw new DialFault('ECONNREFUSED');
    }
  }

  /** Returns the address at which a process of the pod listens on a port. Ports of other programs are not reached. */
  async #placeOf(port: number, real: number): Promise<string | undefined> {
    if (process.platform !== 'linux') return this.ports.has(port) ? this.address : undefined;
    return listeningAddress(real, new Set([...this.#groups].map(({ pid }) => pid)), this.address);
  }
}
