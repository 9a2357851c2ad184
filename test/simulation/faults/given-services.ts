import type { TestObject } from '../../support/test-object.ts';
import type { WatchEvent } from '../../support/watch-stream.ts';

/** The services of a namespace, from a watch. No two share an address or a port, and a quota holds. */
export class GivenServices {
  readonly #hard: number;
  #services = new Map<string, readonly string[]>();
  #revision = 0;

  constructor(hard: number) {
    this.#hard = hard;
  }

  get revision(): number {
    return this.#revision;
  }

  list(items: readonly TestObject[], revision: number): void {
    this.#services = new Map();
    this.#revision = revision;
    for (const item of items) this.#add(item);
  }

  take({ type, object }: WatchEvent): void {
    this.#revision = Number(object.metadata.resourceVersion);
    if (type === 'ADDED') this.#add(object);
    if (type === 'DELETED') this.#services.delete(object.metadata.name);
  }

  #add({ metadata, spec }: TestObject): void {
    const given = [...spec.clusterIPs, ...spec.ports.map(({ nodePort }: { nodePort: number }) => String(nodePort))];
    for (const [name, others] of this.#services) {
      const both = given.filter((one) => others.includes(one));
      if (both.length > 0) throw new Error(`at ${this.#revision}, ${metadata.name} and ${name} both have ${both}`);
    }
    this.#services.set(String(metadata.name), given);
    if (this.#services.size > this.#hard) throw new Error(`at ${this.#revision}, there are ${this.#services.size} services`);
  }
}
