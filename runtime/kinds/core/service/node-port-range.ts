import type { RangeAllocation, Service } from '../../../../generated/v1.35/core/v1/types.ts';
import { plainError } from '../../../machinery/errors/status.ts';
import { TimeSlice } from '../../../machinery/event-loop/yield.ts';
import type { KubeObject } from '../../../machinery/object.ts';
import type { Collection, StoredObject, StoredResource } from '../../../storage/object-store/contract.ts';
import { AllocationBitmap } from './allocation-bitmap.ts';
import { type PortRange, portRangeText } from './services-config.ts';

const name = 'servicenodeports';

/** The stored allocations of ranges. No API serves them. (pkg/registry/core/rest/storage_core.go) */
export const rangeAllocations: StoredResource = {
  group: '',
  resource: 'servicenodeportallocations',
  resourcePrefix: 'ranges',
  namespaced: false,
  selectableFields: () => ({}),
};

type Change<T> = T | undefined | Promise<T | undefined>;

/** The stored ports in use. */
interface StoredRange {
  readonly stored: StoredObject;
  readonly ports: Set<number>;
  /** Whether the ports were stored for this range of ports. */
  readonly isCurrent: boolean;
}

/**
 * The node ports in use, as one object that all servers change by compare and swap. Ports are added before their
 * services are written, and removed afterwards. (pkg/registry/core/service/allocator/storage)
 */
export class NodePortRange {
  readonly range: PortRange;
  readonly #allocations: Collection;
  readonly #services: Collection;
  #last: Promise<unknown> = Promise.resolve();

  constructor(range: PortRange, allocations: Collection, services: Collection) {
    this.range = range;
    this.#allocations = allocations;
    this.#services = services;
  }

  contains(port: number): boolean {
    return port >= this.range.base && port < this.range.base + this.range.size;
  }

  /** Reports whether a port is in use, as far as this server knows. */
  has(port: number): boolean {
    return this.#read(this.#allocations.latest())?.ports.has(port) ?? false;
  }

  /**
   * Changes the ports in use. The changes of this server run one after the other.
   *
   * @param change returns undefined to store nothing. It is called again with newer ports after a conflict, or after
   *   it returned undefined for ports that may be outdated
   */
  update<T>(change: (ports: Set<number>) => Change<T>): Promise<T | undefined> {
    const result = this.#last.then(() => this.#update(change));
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Returns the node ports of all services, with their services. */
  async portsOfServices(): Promise<ReadonlyMap<number, readonly StoredObject[]>> {
    const found = new Map<number, StoredObject[]>();
    const slice = new TimeSlice();
    for (const stored of (await this.#services.mostRecent()).scan()) {
      for (const port of nodePortsOf(stored.decode() as Service)) {
        const owners = found.get(port);
        if (owners === undefined) found.set(port, [stored]);
        else owners.push(stored);
      }
      if (slice.isOver) await slice.next();
    }
    return found;
  }

  async #update<T>(change: (ports: Set<number>) => Change<T>): Promise<T | undefined> {
    let isNewest = false;
    for (;;) {
      const snapshot = isNewest ? await this.#allocations.mostRecent() : this.#allocations.latest();
      const before = this.#read(snapshot);
      if (before?.isCurrent) {
        const ports = new Set(before.ports);
        const result = await change(ports);
        if (result === undefined && isNewest) return undefined;
        if (result !== undefined && (await this.#write(ports, before.stored))) return result;
      } else if (isNewest) await this.#initialize(before);
      isNewest = true;
    }
  }

  /**
   * Stores the ports of all services, and the ports that other servers may have allocated for services that they will
   * write.
   */
  async #initialize(before: StoredRange | undefined): Promise<void> {
    const ports = new Set([...(before?.ports ?? []), ...(await this.portsOfServices()).keys()]);
    await this.#write(ports, before?.stored);
  }

  /** Resolves with false if another write came first. */
  async #write(ports: ReadonlySet<number>, before: StoredObject | undefined): Promise<boolean> {
    const { base, size } = this.range;
    const bitmap = new AllocationBitmap(size);
    for (const port of ports) if (this.contains(port)) bitmap.allocate(port - base);
    const { resourceVersion: _, ...metadata } = before?.metadata() ?? {};
    const object: RangeAllocation & KubeObject = {
      kind: 'RangeAllocation',
      apiVersion: 'v1',
      metadata: { ...metadata, name },
      range: portRangeText(this.range),
      data: Buffer.from(bitmap.data).toString('base64'),
    };
    const written = before ? await this.#allocations.update(object, before.revision) : await this.#allocations.create(object);
    return written !== undefined;
  }

  /** @throws StatusError 500 if the stored range is invalid */
  #read(snapshot: { get(namespace: string, name: string): StoredObject | undefined }): StoredRange | undefined {
    const stored = snapshot.get('', name);
    if (stored === undefined) {
      const [corrupt] = this.#allocations.corrupt();
      if (corrupt !== undefined) throw plainError(`unable to refresh the port allocations: ${name} is corrupt`);
      return undefined;
    }
    const { range, data } = stored.decode() as RangeAllocation;
    const [, low, high] = /^(\d+)-(\d+)$/.exec(range) ?? [];
    if (high === undefined) throw plainError(`unable to rebuild allocator from snapshot: ${JSON.stringify(range)}`);
    const base = Number(low);
    const bitmap = AllocationBitmap.of(Number(high) - base + 1, Buffer.from(data ?? '', 'base64'));
    const ports = new Set<number>();
    for (const item of bitmap.items()) ports.add(base + item);
    return { stored, ports, isCurrent: range === portRangeText(this.range) };
  }
}

/** Returns the node ports of a service, each once. */
export function nodePortsOf({ spec = {} }: Service): number[] {
  const ports = [...(spec.ports ?? []).map(({ nodePort }) => nodePort), spec.healthCheckNodePort];
  return [...new Set(ports.flatMap((port) => port || []))];
}
