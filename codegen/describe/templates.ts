/** The subject of an operation's description. */
export interface Subject {
  readonly action: string;
  readonly kind: string;
  /** "" if there is none. */
  readonly subresource: string;
}

/**
 * Descriptions of operations and their parameters as templates, learnt from the operations that have descriptions. They
 * describe the remaining operations and custom resources. runtime/machinery/descriptions reads the same templates.
 */
export class Templates {
  readonly #operations = new MostFrequent();
  readonly #parameters = new MostFrequent();

  /**
   * Templates by action, with a slash after it if there is a subresource: `read {subresource} of the specified {kind}`.
   */
  get operations(): Record<string, string> {
    return this.#operations.all();
  }

  /** Templates by name, and by action and name: `name of the {kind}`. */
  get parameters(): Record<string, string> {
    return this.#parameters.all();
  }

  /** @param texts descriptions by parameter; "" for the operation */
  learn({ action, kind, subresource }: Subject, texts: ReadonlyMap<string, string>): void {
    for (const [part, text] of texts) {
      const template = kind === '' ? text : text.replace(new RegExp(`\\b${kind}\\b`), '{kind}');
      if (part !== '') {
        this.#parameters.add(`${action} ${part}`, template);
        this.#parameters.add(part, template);
      } else if (template !== text || kind === '') {
        const general = template.replace(`${subresource} of`, '{subresource} of').replace(/ an? (?={kind})/, '{a}');
        this.#operations.add(operationKey(action, subresource), general);
      }
    }
  }

  operation({ action, kind, subresource }: Subject): string | undefined {
    return this.#operations
      .get(operationKey(action, subresource))
      ?.replace('{a}', /^[aeiou]/i.test(kind) ? ' an ' : ' a ')
      .replace('{kind}', kind)
      .replace('{subresource}', subresource);
  }

  parameter({ action, kind }: Subject, name: string): string | undefined {
    return (this.#parameters.get(`${action} ${name}`) ?? this.#parameters.get(name))?.replace('{kind}', kind);
  }
}

const operationKey = (action: string, subresource: string): string => (subresource === '' ? action : `${action}/`);

/** Finds the text that was added most often for a key. */
class MostFrequent {
  readonly #counts = new Map<string, Map<string, number>>();

  add(key: string, text: string): void {
    const counts = this.#counts.get(key) ?? new Map<string, number>();
    this.#counts.set(key, counts.set(text, (counts.get(text) ?? 0) + 1));
  }

  get(key: string): string | undefined {
    const [most] = [...(this.#counts.get(key) ?? [])].sort(([, a], [, b]) => b - a);
    return most?.[0];
  }

  all(): Record<string, string> {
    return Object.fromEntries([...this.#counts.keys()].map((key) => [key, this.get(key) as string]));
  }
}
