import type { Random } from '../../../machinery/random.ts';
import {
  type Address,
  addOffset,
  addressText,
  bitLength,
  lastAddress,
  maskPrefix,
  type Prefix,
  prefixText,
} from '../../../machinery/scalars/netip.ts';

export type IPFamily = 'IPv4' | 'IPv6';

export const familyOf = ({ version }: Address): IPFamily => (version === 4 ? 'IPv4' : 'IPv6');

/**
 * The number of first addresses that are allocated dynamically only when all others are in use: a sixteenth of the
 * network, 16 to 256. (KEP-3070)
 */
const minStatic = 16n;
const maxStatic = 256n;
const staticPart = 16n;

/** The addresses of one network that services may get. (pkg/registry/core/service/ipallocator/ipallocator.go) */
export class ClusterIPRange {
  /** For example `10.96.0.0/12`. */
  readonly cidr: string;
  readonly family: IPFamily;
  readonly network: Prefix;
  readonly #first: Address;
  readonly #last: Address;
  /** The first address of the range for dynamic allocation. */
  readonly #dynamic: Address;

  constructor(prefix: Prefix) {
    this.network = maskPrefix(prefix);
    const { address, length } = this.network;
    this.cidr = prefixText(this.network);
    this.family = familyOf(address);
    this.#first = addOffset(address, 1n);
    const last = lastAddress(this.network);
    this.#last = this.family === 'IPv4' ? addOffset(last, -1n) : last;
    this.#dynamic = addOffset(this.#first, staticAddresses(1n << BigInt(bitLength(address) - length)));
  }

  /**
   * Reports whether the address can be allocated. The network address cannot, nor can the broadcast address of an IPv4
   * network.
   */
  contains({ version, bits }: Address): boolean {
    return version === this.#first.version && bits >= this.#first.bits && bits <= this.#last.bits;
  }

  /** Returns each address once: first the dynamic range, then the static range, both from a random start. */
  *candidates(random: Random): Iterable<Address> {
    yield* fromRandom(random, this.#dynamic, this.#last);
    yield* fromRandom(random, this.#first, addOffset(this.#dynamic, -1n));
  }
}

/** (calculateRangeOffset) */
function staticAddresses(size: bigint): bigint {
  if (size <= minStatic) return 0n;
  const part = size / staticPart;
  return part < minStatic ? minStatic : part > maxStatic ? maxStatic : part;
}

function* fromRandom(random: Random, first: Address, last: Address): Iterable<Address> {
  const size = last.bits - first.bits + 1n;
  if (size <= 0n) return;
  const start = random.bytes(8, 'cluster-ip', addressText(first)).readBigUInt64BE() % size;
  for (let step = 0n; step < size; step++) yield addOffset(first, (start + step) % size);
}
