import { type LabelRequirement, parseInt64 } from './label-requirement.ts';

type Labels = Readonly<Record<string, string>>;

/**
 * The maximum number of keys that are looked up in the labels. With more keys, the labels are looked up in the keys.
 */
const fewKeys = 8;

/**
 * Matches many requirements in time proportional to the number of labels. The requirements of one key become one rule,
 * which is made when the first object with that label arrives.
 */
export class LabelMatcher {
  readonly #rules = new Map<string, LabelRequirement | LabelRequirement[] | KeyRule>();
  /** Keys that must be present. */
  readonly #needed = new Set<string>();

  constructor(requirements: readonly LabelRequirement[] = []) {
    for (const requirement of requirements) this.add(requirement);
  }

  /** Adds a requirement, before anything is matched. */
  add(requirement: LabelRequirement): void {
    const { key } = requirement;
    const before = this.#rules.get(key);
    if (before === undefined) this.#rules.set(key, requirement);
    else if (Array.isArray(before)) before.push(requirement);
    else this.#rules.set(key, [before as LabelRequirement, requirement]);
    if (needsKey(requirement)) this.#needed.add(key);
  }

  matches(labels: Labels): boolean {
    return this.#rules.size <= fewKeys ? this.#matchesEachRule(labels) : this.#matchesEachLabel(labels);
  }

  #matchesEachRule(labels: Labels): boolean {
    for (const key of this.#rules.keys()) {
      const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
      if (value === undefined ? this.#needed.has(key) : !this.#ruleOf(key)?.allows(value)) return false;
    }
    return true;
  }

  #matchesEachLabel(labels: Labels): boolean {
    const keys = Object.keys(labels);
    if (keys.length < this.#needed.size) return false;
    let met = 0;
    for (const key of keys) {
      const rule = this.#ruleOf(key);
      const value = labels[key];
      if (rule === undefined || value === undefined) continue;
      if (!rule.allows(value)) return false;
      if (this.#needed.has(key)) met++;
    }
    return met === this.#needed.size;
  }

  #ruleOf(key: string): KeyRule | undefined {
    const found = this.#rules.get(key);
    if (found === undefined || found instanceof KeyRule) return found;
    const rule = new KeyRule(Array.isArray(found) ? found : [found]);
    this.#rules.set(key, rule);
    return rule;
  }
}

/** An absent label satisfies != and notin, never gt and lt. */
const needsKey = ({ operator }: LabelRequirement): boolean => operator !== '!=' && operator !== 'notin' && operator !== '!';

/** All requirements of one label. */
class KeyRule {
  #mustBeAbsent = false;
  #allowed: Set<string> | undefined;
  #denied: Set<string> | undefined;
  readonly #bounds: ((value: bigint) => boolean)[] = [];

  constructor(requirements: readonly LabelRequirement[]) {
    for (const requirement of requirements) this.#add(requirement);
  }

  #add({ operator, values }: LabelRequirement): void {
    switch (operator) {
      case 'exists':
        return;
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
        return;
      }
      default: {
        const bound = parseInt64(values[0] ?? '') as bigint;
        this.#bounds.push((value) => (operator === 'gt' ? value > bound : value < bound));
      }
    }
  }

  allows(value: string): boolean {
    if (this.#mustBeAbsent || this.#denied?.has(value) || this.#allowed?.has(value) === false) return false;
    return this.#bounds.length === 0 || this.#isWithin(parseInt64(value));
  }

  #isWithin(value: bigint | undefined): boolean {
    return value !== undefined && this.#bounds.every((holds) => holds(value));
  }
}
