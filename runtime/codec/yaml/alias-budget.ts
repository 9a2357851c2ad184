import { DecodeError } from '../../machinery/errors/decode-error.ts';
import { checkEventLoopBudget } from '../../machinery/event-loop/budget.ts';

/**
 * go-yaml's limits on nodes from aliases: nearly all nodes below the low count, one in ten from the high count on.
 * (decode.go)
 */
const lowCount = 400_000;
const highCount = 4_000_000;

/**
 * Limits that go-yaml lacks, because a text may be repeated often: repeated text may have this length, plus a multiple
 * of the document's.
 */
const freeText = 400_000;
const textFactor = 10;

/** The cost of repeated content in microseconds, for decoding and later steps: for a node, and for a character. */
const nodeCost = 0.2;
const textCost = 0.005;

/** Limits the part of a document that may come from aliases. */
export class AliasBudget {
  #decoded = 0;
  #repeated = 0;
  #text = 0;
  readonly #maxText: number;

  /** @param length the length of the document */
  constructor(length: number) {
    this.#maxText = freeText + textFactor * length;
  }

  /** The number of decoded nodes. */
  get decoded(): number {
    return this.#decoded;
  }

  /**
   * Counts a node. @throws DecodeError beyond go-yaml's limits, EventLoopBudgetError if it costs too much for the event
   * loop
   */
  count(inAlias: boolean): void {
    this.#decoded++;
    if (!inAlias) return;
    this.#repeated++;
    if ((this.#repeated & 0x3ff) === 0) checkEventLoopBudget(this.#repeated * nodeCost + this.#text * textCost);
    if (this.#repeated <= 100 || this.#decoded <= 1000) return;
    if (this.#repeated / this.#decoded > allowedRatio(this.#decoded)) throw excess();
  }

  /** Counts text that an alias repeats. @throws DecodeError */
  countText(length: number): void {
    this.#text += length;
    if (this.#text > this.#maxText) throw excess();
  }
}

const excess = (): DecodeError => new DecodeError('yaml: document contains excessive aliasing');

function allowedRatio(decoded: number): number {
  if (decoded <= lowCount) return 0.99;
  if (decoded >= highCount) return 0.1;
  return 0.99 - 0.89 * ((decoded - lowCount) / (highCount - lowCount));
}
