/** Hashes have 64 bits, but using all of them would deal the last card unevenly. (shufflesharding.maxHashBits) */
export const maxHashBits = 60;
/** Larger decks are impractical. */
const maxDeckSize = 2 ** 26;

/** Returns how many bits of the hash a hand takes, rounded up. (apiserver pkg/util/shufflesharding) */
export function requiredEntropyBits(deckSize: number, handSize: number): number {
  return Math.ceil(Math.log2(deckSize) * handSize);
}

/** Deals hands of distinct cards from a deck; a hand depends only on the hash. */
export class Dealer {
  readonly deckSize: number;
  readonly handSize: number;

  /** @throws RangeError if the sizes are invalid or the hand takes more bits than the hash has */
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
   * Reads the hash as a mixed-radix number: the first digit picks one of all cards, the next digit one of the remaining
   * cards, and so on.
   *
   * @param hash 64 bits, unsigned
   */
  deal(hash: bigint): number[] {
    const hand: number[] = [];
    let remainder = hash;
    for (let dealt = 0; dealt < this.handSize; dealt++) {
      const remaining = BigInt(this.deckSize - dealt);
      let card = Number(remainder % remaining);
      remainder /= remaining;
      for (const taken of [...hand].sort((a, b) => a - b)) if (card >= taken) card++;
      hand.push(card);
    }
    return hand;
  }
}
