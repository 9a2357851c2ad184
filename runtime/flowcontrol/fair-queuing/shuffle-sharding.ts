/** Hashes have 64 bits; using all of them would deal the last card unevenly. */
export const maxHashBits = 60;
/** Decks beyond this make no sense, and neither do their estimates. */
const maxDeckSize = 2 ** 26;

/** Bits of the hash that dealing takes, rounded up. (apiserver pkg/util/shufflesharding) */
export function requiredEntropyBits(deckSize: number, handSize: number): number {
  return Math.ceil(Math.log2(deckSize) * handSize);
}

/** Deals hands of distinct cards from a deck, by a hash and nothing else. */
export class Dealer {
  readonly deckSize: number;
  readonly handSize: number;

  /** @throws RangeError where there is no such deck or hand, or the hash has too few bits for it */
  constructor(deckSize: number, handSize: number) {
    if (deckSize <= 0 || handSize <= 0) {
      throw new RangeError(`a hand of ${handSize} from a deck of ${deckSize}: both must be positive`);
    }
    if (handSize > deckSize) throw new RangeError(`a hand of ${handSize} is more than the deck of ${deckSize}`);
    if (deckSize > maxDeckSize) throw new RangeError(`a deck of ${deckSize} is impractically large`);
    if (requiredEntropyBits(deckSize, handSize) > maxHashBits) {
      throw new RangeError(`a hand of ${handSize} from a deck of ${deckSize} takes more than ${maxHashBits} bits`);
    }
    this.deckSize = deckSize;
    this.handSize = handSize;
  }

  /**
   * The hash is read as a number of mixed radix: its first digit picks one of all cards, the next one of those that are
   * left, and so on.
   *
   * @param hash 64 bits, unsigned
   */
  deal(hash: bigint): number[] {
    const hand: number[] = [];
    let rest = hash;
    for (let dealt = 0; dealt < this.handSize; dealt++) {
      const left = BigInt(this.deckSize - dealt);
      let card = Number(rest % left);
      rest /= left;
      for (const taken of [...hand].sort((a, b) => a - b)) if (card >= taken) card++;
      hand.push(card);
    }
    return hand;
  }
}
