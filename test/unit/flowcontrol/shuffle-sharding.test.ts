import { describe, expect, test } from '@jest/globals';
import { handOf } from '../../../runtime/flowcontrol/classification/flow.ts';
import { Dealer, requiredEntropyBits } from '../../../runtime/flowcontrol/fair-queuing/shuffle-sharding.ts';
import { Random } from '../../support/random.ts';

/** The table of Kubernetes' documentation: hand size, queues, and the probabilities with 1, 4 and 16 elephants. */
const published: readonly (readonly [number, number, number, number, number])[] = [
  [12, 32, 4.428838398950118e-9, 0.11431348830099144, 0.9935089607656024],
  [10, 32, 1.550093439632541e-8, 0.0626479840223545, 0.9753101519027554],
  [10, 64, 6.601827268370426e-12, 0.00045571320990370776, 0.49999929150089345],
  [9, 64, 3.6310049976037345e-11, 0.00045501212304112273, 0.4282314876454858],
  [8, 64, 2.25929199850899e-10, 0.0004886697053040446, 0.35935114681123076],
  [8, 128, 6.994461389026097e-13, 3.4055790161620863e-6, 0.02746173137155063],
  [7, 128, 1.0579122850901972e-11, 6.960839379258192e-6, 0.02406157386340147],
  [7, 256, 7.597695465552631e-14, 6.728547142019406e-8, 0.0006709661542533682],
  [6, 256, 2.7134626662687968e-12, 2.9516464018476436e-7, 0.0008895654642000348],
  [6, 512, 4.116062922897309e-14, 4.982983350480894e-9, 2.26025764343413e-5],
  [6, 1024, 6.337324016514285e-16, 8.09060164312957e-11, 4.517408062903668e-7],
];

const sixDigits = (value: number): string => value.toExponential(5);

test.each(published)('hands of %i from %i queues collide as often as documented', (handSize, queues, ...chances) => {
  expect([1, 4, 16].map((elephants) => sixDigits(collisionProbability(queues, handSize, elephants)))).toEqual(chances.map(sixDigits));
});

const hash = (random: Random): bigint => (BigInt(Math.floor(random.next() * 2 ** 32)) << 32n) | BigInt(Math.floor(random.next() * 2 ** 32));

test.each([
  [12, 32, 16, 1_000],
  [10, 32, 4, 4_000],
  [10, 64, 16, 1_000],
])('dealt hands of %i from %i queues collide with %i others as often as documented', (handSize, queues, elephants, trials) => {
  const random = new Random(handSize * queues);
  const dealer = new Dealer(queues, handSize);
  let collisions = 0;
  for (let trial = 0; trial < trials; trial++) {
    const squashed = new Set<number>();
    for (let elephant = 0; elephant < elephants; elephant++) {
      for (const card of dealer.deal(hash(random))) squashed.add(card);
    }
    if (dealer.deal(hash(random)).every((card) => squashed.has(card))) collisions++;
  }
  const chance = collisionProbability(queues, handSize, elephants);
  const error = Math.sqrt((chance * (1 - chance)) / trials);
  expect(Math.abs(collisions / trials - chance)).toBeLessThan(4 * error);
});

describe('the dealer', () => {
  test('deals distinct cards, each equally often', () => {
    const random = new Random(7);
    const dealer = new Dealer(16, 4);
    const counts = new Float64Array(16);
    for (let trial = 0; trial < 4_000; trial++) {
      const hand = dealer.deal(hash(random));
      if (new Set(hand).size !== 4) throw new Error(`dealt twice: ${hand}`);
      for (const card of hand) counts[card]++;
    }
    // 1000 of each, with a deviation of 27
    for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(4 * 27);
  });

  test('reads the hash as digits of falling base, each an index into the remaining cards', () => {
    // 5 + 16 * (3 + 15 * (3 + 14 * 0)): the sixth card, then the fourth of the rest, then the fourth of the rest again
    expect(new Dealer(16, 3).deal(5n + 16n * (3n + 15n * 3n))).toEqual([5, 3, 4]);
    expect(new Dealer(3, 3).deal(0n)).toEqual([0, 1, 2]);
    expect(new Dealer(1, 1).deal(0xffff_ffff_ffff_ffffn)).toEqual([0]);
  });

  test.each([
    [0, 1],
    [1, 0],
    [3, 4],
    [2 ** 27, 1],
    [1024, 7],
  ])('rejects a deck of %i and a hand of %i', (deckSize, handSize) => {
    expect(() => new Dealer(deckSize, handSize)).toThrow(RangeError);
  });

  test('needs as many bits as the hand has choices', () => {
    expect([requiredEntropyBits(64, 8), requiredEntropyBits(128, 6), requiredEntropyBits(1000, 6)]).toEqual([48, 42, 60]);
  });

  test('deals one flow the same hand every time, and other flows other hands', () => {
    const dealer = new Dealer(128, 6);
    const [one, again, other] = ['jane', 'jane', 'joe'].map((user) => handOf('schema', user, dealer));
    expect(again).toEqual(one);
    expect(other).not.toEqual(one);
  });
});

/**
 * Returns the probability that `elephants` other hands cover every card of a hand, so that a small flow finds all its
 * queues full.
 */
function collisionProbability(deckSize: number, handSize: number, elephants: number): number {
  // by the number of the mouse's cards that the elephants hold: one more elephant is a hypergeometric step
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

/** Returns the probability of `hits` marked cards in a hand from a deck with `marked` of them. */
function drawn(deckSize: number, marked: number, handSize: number, hits: number): number {
  return (choose(marked, hits) * choose(deckSize - marked, handSize - hits)) / choose(deckSize, handSize);
}

function choose(n: number, k: number): number {
  if (k < 0 || k > n) return 0;
  let ways = 1;
  for (let step = 1; step <= k; step++) ways = (ways * (n - k + step)) / step;
  return ways;
}
