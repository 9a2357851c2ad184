import { addOffset, addressText, bitLength, parsePrefix } from '../../machinery/scalars/netip.ts';

/**
 * The pod addresses of one range. The first address is the network's, the second the gateway's. (CNI plugin host-local)
 */
export class PodAddresses {
  readonly #first: ReturnType<typeof parsePrefix>['address'];
  readonly #size: number;
  readonly #ofPod = new Map<string, string>();
  readonly #taken = new Set<string>();
  #next = 2;

  /** @throws AddressError */
  constructor(range: string) {
    const { address, length } = parsePrefix(range);
    this.#first = address;
    this.#size = 2 ** Math.min(bitLength(address) - length, 24);
  }

  take(uid: string, address: string): void {
    this.#ofPod.set(uid, address);
    this.#taken.add(address);
  }

  release(uid: string): void {
    const address = this.#ofPod.get(uid);
    if (address === undefined) return;
    this.#ofPod.delete(uid);
    this.#taken.delete(address);
  }

  /** Returns the address of a pod. A pod without one gets one; undefined if none is left. */
  of(uid: string): string | undefined {
    const own = this.#ofPod.get(uid);
    if (own !== undefined) return own;
    const last = this.#size - 1;
    if (this.#taken.size >= last - 2) return undefined;
    for (let tries = 2; tries < last; tries++) {
      const address = addressText(addOffset(this.#first, BigInt(this.#next)));
      this.#next = this.#next + 1 >= last ? 2 : this.#next + 1;
      if (this.#taken.has(address)) continue;
      this.take(uid, address);
      return address;
    }
    return undefined;
  }
}
