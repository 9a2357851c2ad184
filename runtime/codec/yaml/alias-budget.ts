import { DecodeError } from '../../machinery/errors/decode-error.ts';
import { checkEventLoopBudget } from '../../machinery/event-loop/budget.ts';

/** go-yaml's: up to so many nodes nearly all may come from aliases, from so many on one in ten. (decode.go) */
const lowCount = 400_000;
const highCount = 4_000_000;

/** And ours: what is written once and read often may be long. So much text may be repeated, and so often the document. */
const freeText = 400_000;
const textFactor = 10;

/** What repeating takes, here and by whoever has the value afterwards: microseconds a node, and a character. */
const nodeCost = 0.2;
const textCost = 0.005;

/** How much of a document may come from aliases. */
export class AliasBudget {
  #decoded = 0;
  #repeated = 0;
  #text = 0;
  readonly #maxText: number;

  /** @param length of the document's text */
  constructor(length: number) {
    this.#maxText = freeText + textFactor * length;
  }

  /** How many nodes were read. */
  get decoded(): number {
    return this.#decoded;
  }

  /** Counts a node. @throws DecodeError, and EventLoopBudgetError where it gets too much for a thread that others wait for */
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
