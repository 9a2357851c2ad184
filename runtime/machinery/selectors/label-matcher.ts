import { type LabelRequirement, parseInt64 } from './label-requirement.ts';

type Labels = Readonly<Record<string, string>>;

/** Up to so many keys each is looked for among the labels; of more, each label is looked for among them. */
const fewKeys = 8;

/**
 * Many requirements as one test, which takes as long as an object has labels: requirements of the same key are one rule,
 * and most objects lack a label that is asked for.
 */
export class LabelMatcher {
  readonly #rules = new Map<string, KeyRule>();
  /** How many keys must be there. */
  readonly #needed: number;

  constructor(requirements: readonly LabelRequirement[]) {
    for (const requirement of requirements) {
      let rule = this.#rules.get(requirement.key);
      if (rule === undefined) {
        rule = new KeyRule();
        this.#rules.set(requirement.key, rule);
      }
      rule.add(requirement);
    }
    let needed = 0;
    for (const rule of this.#rules.values()) if (rule.isNeeded) needed++;
    this.#needed = needed;
  }

  matches(labels: Labels): boolean {
    return this.#rules.size <= fewKeys ? this.#matchesEachRule(labels) : this.#matchesEachLabel(labels);
  }

  #matchesEachRule(labels: Labels): boolean {
    for (const [key, rule] of this.#rules) {
      if (!rule.allows(Object.hasOwn(labels, key) ? labels[key] : undefined)) return false;
    }
    return true;
  }

  #matchesEachLabel(labels: Labels): boolean {
    let met = 0;
    for (const key of Object.keys(labels)) {
      const rule = this.#rules.get(key);
      if (rule === undefined) continue;
      if (!rule.allows(labels[key])) return false;
      if (rule.isNeeded) met++;
    }
    return met === this.#needed;
  }
}

/** Everything that is asked of one label. */
class KeyRule {
  /** Absence does not do. */
  isNeeded = false;
  #mustBeAbsent = false;
  #allowed: Set<string> | undefined;
  #denied: Set<string> | undefined;
  readonly #bounds: ((value: bigint) => boolean)[] = [];

  add({ operator, values }: LabelRequirement): void {
    switch (operator) {
      case '!':
        this.#mustBeAbsent = true;
        return;
      case '!=':
      case 'notin':
        this.#denied ??= new Set();
        for (const value of values) this.#denied.add(value);
        return;
      case '=':
      case '==':
      case 'in': {
        const before = this.#allowed;
        this.#allowed = new Set(before === undefined ? values : values.filter((value) => before.has(value)));
        break;
      }
      case 'gt':
      case 'lt': {
        const bound = parseInt64(values[0]);
        if (bound !== undefined) this.#bounds.push((value) => (operator === 'gt' ? value > bound : value < bound));
      }
    }
    this.isNeeded = true;
  }

  /** @param value undefined for an absent label, which fulfils != and notin, never gt and lt */
  allows(value: string | undefined): boolean {
    if (value === undefined) return !this.isNeeded;
    if (this.#mustBeAbsent || this.#denied?.has(value) || this.#allowed?.has(value) === false) return false;
    return this.#bounds.length === 0 || this.#isWithin(parseInt64(value));
  }

  #isWithin(value: bigint | undefined): boolean {
    return value !== undefined && this.#bounds.every((holds) => holds(value));
  }
}
