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

/**
 * How likely it is that every card of a hand is also in one of `elephants` other hands: that a flow of few requests finds
 * all its queues full.
 */
export function collisionProbability(deckSize: number, handSize: number, elephants: number): number {
  // of the cards in the mouse's hand, how many the elephants hold so far: one more elephant is a hypergeometric step
  let covered = new Float64Array(handSize + 1);
  covered[0] = 1;
  for (let elephant = 0; elephant < elephants; elephant++) {
    const next = new Float64Array(handSize + 1);
    for (let before = 0; before <= handSize; before++) {
      const open = handSize - before;
      for (let fresh = 0; fresh <= open; fresh++) {
        next[before + fresh] += covered[before] * drawn(deckSize, open, handSize, fresh);
      }
    }
    covered = next;
  }
  return covered[handSize];
}

/** The chance of `hits` marked cards in a hand from a deck with `marked` of them. */
function drawn(deckSize: number, marked: number, handSize: number, hits: number): number {
  return (choose(marked, hits) * choose(deckSize - marked, handSize - hits)) / choose(deckSize, handSize);
}

function choose(n: number, k: number): number {
  if (k < 0 || k > n) return 0;
  let ways = 1;
  for (let step = 1; step <= k; step++) ways = (ways * (n - k + step)) / step;
  return ways;
}
