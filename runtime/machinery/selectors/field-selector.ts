import { SelectorError } from './selector-error.ts';

/** One condition of a field selector. `==` is read as `=`. */
export interface FieldRequirement {
  readonly field: string;
  readonly operator: '=' | '!=';
  /** Unescaped. */
  readonly value: string;
}

/** Conditions on single fields, all of which must hold. (apimachinery pkg/fields/selector.go) */
export interface FieldSelector {
  /** `fieldOf` gives the value of a field by its label, "" when absent. */
  matches(fieldOf: (field: string) => string): boolean;
  readonly requirements: readonly FieldRequirement[];
  /** True when every object matches. */
  readonly isEmpty: boolean;
  /** The value that the selector asks one field to have, as `metadata.name=x`; undefined when it does not. */
  requiresExactMatch(field: string): string | undefined;
  /** As it would be written in a query. */
  toString(): string;
}

class Terms implements FieldSelector {
  readonly requirements: readonly FieldRequirement[];

  constructor(requirements: readonly FieldRequirement[]) {
    this.requirements = requirements;
  }

  get isEmpty(): boolean {
    return this.requirements.length === 0;
  }

  matches(fieldOf: (field: string) => string): boolean {
    return this.requirements.every(({ field, operator, value }) => (fieldOf(field) === value) === (operator === '='));
  }

  requiresExactMatch(field: string): string | undefined {
    return this.requirements.find((term) => term.operator === '=' && term.field === field)?.value;
  }

  toString(): string {
    return this.requirements
      .map(({ field, operator, value }) => `${field}${operator}${escapeFieldValue(value)}`)
      .join(',');
  }
}

/** Matches every object. */
export const everyField: FieldSelector = new Terms([]);

/** A selector of conditions that are already known. */
export function fieldSelectorOf(requirements: readonly FieldRequirement[]): FieldSelector {
  return requirements.length === 0 ? everyField : new Terms(requirements);
}

/**
 * Reads a selector as `fieldSelector=` carries it, for instance `metadata.name=a,status.phase!=Running`. In
 * values `\`, `,` and `=` are written with a backslash before them. Empty terms are skipped. Throws SelectorError.
 */
export function parseFieldSelector(text: string): FieldSelector {
  const terms = splitTerms(text).filter((term) => term !== '');
  const requirements = terms.sort().map((term) => {
    const match = /^(.*?)(!=|==|=)(.*)$/s.exec(term);
    if (match === null) throw new SelectorError(`invalid selector: '${text}'; can't understand '${term}'`);
    return { field: match[1], operator: match[2] === '!=' ? '!=' : '=', value: unescapeFieldValue(match[3]) } as const;
  });
  return fieldSelectorOf(requirements);
}

/** At each comma without a backslash before it. */
function splitTerms(text: string): string[] {
  const terms: string[] = [];
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === ',') {
      terms.push(text.slice(start, i));
      start = i + 1;
    }
  }
  terms.push(text.slice(start));
  return terms;
}

export function escapeFieldValue(value: string): string {
  return value.replace(/[\\,=]/g, '\\$&');
}

function unescapeFieldValue(value: string): string {
  let text = '';
  const chars = [...value];
  for (let i = 0; i < chars.length; i++) {
    const char = chars[i];
    if (char === ',' || char === '=') {
      // Upstream prints the number of the character.
      throw new SelectorError(`invalid field selector: unescaped character in value: ${char.charCodeAt(0)}`);
    }
    if (char !== '\\') {
      text += char;
      continue;
    }
    const next = chars[++i] ?? '';
    if (next !== '\\' && next !== ',' && next !== '=') {
      throw new SelectorError(`invalid field selector: invalid escape sequence: \\${next}`);
    }
    text += next;
  }
  return text;
}
