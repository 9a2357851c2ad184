import { excerpt } from '../errors/excerpt.ts';
import { SelectorError } from './selector-error.ts';

/** One condition. `==` is the same as `=`. (fields.Requirement) */
export interface FieldRequirement {
  readonly field: string;
  readonly operator: '=' | '!=';
  /** The value without escapes. */
  readonly value: string;
}

interface Term extends FieldRequirement {
  /** The text that the client sent. Terms are sorted by it. */
  readonly text: string;
}

/** The conditions on one field. */
interface FieldRule {
  /** Required values. No field has more than one value. */
  readonly wanted: Set<string>;
  readonly unwanted: Set<string>;
}

/** The maximum number of terms that are checked one by one. More terms are grouped by field. */
const fewTerms = 8;

/** Conditions on fields, all of which must hold. (apimachinery pkg/fields/selector.go) */
export class FieldSelector {
  readonly #terms: readonly Term[];
  #rules: ReadonlyMap<string, FieldRule> | undefined;

  constructor(terms: readonly Term[]) {
    this.#terms = terms;
  }

  /** True if every object matches. */
  get isEmpty(): boolean {
    return this.#terms.length === 0;
  }

  /** The conditions, in the order of the query. */
  get requirements(): readonly FieldRequirement[] {
    return this.#terms;
  }

  /** @param fieldOf returns the value of a field by its label, "" if it is absent */
  matches(fieldOf: (field: string) => string): boolean {
    if (this.#terms.length <= fewTerms) {
      for (const { field, operator, value } of this.#terms) if ((fieldOf(field) === value) !== (operator === '=')) return false;
      return true;
    }
    this.#rules ??= rulesOf(this.#terms);
    for (const [field, { wanted, unwanted }] of this.#rules) {
      const value = fieldOf(field);
      if (unwanted.has(value) || wanted.size > 1 || (wanted.size === 1 && !wanted.has(value))) return false;
    }
    return true;
  }

  /** Returns the first field, by the order of the conditions, for which `is` returns true. */
  find(is: (field: string) => boolean): string | undefined {
    return first(this.#terms, ({ field }) => is(field))?.field;
  }

  /**
   * Returns the value that the selector requires of a field, as in `metadata.name=x`. Returns undefined without such a
   * condition.
   */
  requiresExactMatch(field: string): string | undefined {
    return first(this.#terms, (term) => term.operator === '=' && term.field === field)?.value;
  }

  /** The selector as written in a query. */
  toString(): string {
    return [...this.#terms]
      .sort((a, b) => (a.text < b.text ? -1 : 1))
      .map(({ field, operator, value }) => `${field}${operator}${escapeFieldValue(value)}`)
      .join(',');
  }
}

function rulesOf(terms: readonly Term[]): Map<string, FieldRule> {
  const rules = new Map<string, FieldRule>();
  for (const { field, operator, value } of terms) {
    let rule = rules.get(field);
    if (rule === undefined) {
      rule = { wanted: new Set(), unwanted: new Set() };
      rules.set(field, rule);
    }
    (operator === '=' ? rule.wanted : rule.unwanted).add(value);
  }
  return rules;
}

/** Returns the smallest matching term by text, without sorting all terms. */
function first(terms: readonly Term[], is: (term: Term) => boolean): Term | undefined {
  let found: Term | undefined;
  for (const term of terms) if (is(term) && (found === undefined || term.text < found.text)) found = term;
  return found;
}

/** Matches every object. */
export const everyField: FieldSelector = new FieldSelector([]);

/**
 * Parses the value of `fieldSelector=`, for instance `metadata.name=a,status.phase!=Running`. In values, a backslash
 * precedes `\`, `,` and `=`. Empty terms are skipped, `=` and `!=` as well.
 *
 * @throws SelectorError
 */
export function parseFieldSelector(text: string): FieldSelector {
  const terms: Term[] = [];
  let wrong: string | undefined;
  for (const term of splitTerms(text)) {
    const read = readTerm(term);
    if (typeof read !== 'object') {
      // of several invalid terms, the first in order is reported
      if (wrong === undefined || term < wrong) wrong = term;
    } else if (read.field !== '' || read.value !== '') {
      terms.push(read);
    }
  }
  if (wrong !== undefined) {
    const problem = readTerm(wrong) as string;
    throw new SelectorError(problem === '' ? `invalid selector: '${excerpt(text)}'; can't understand '${excerpt(wrong)}'` : problem);
  }
  return terms.length === 0 ? everyField : new FieldSelector(terms);
}

/** Splits at commas without a preceding backslash. */
function splitTerms(text: string): string[] {
  if (!text.includes('\\')) return text.split(',').filter((term) => term !== '');
  const terms: string[] = [];
  let start = 0;
  for (let i = 0; i <= text.length; i++) {
    if (text[i] === '\\') i++;
    else if (i === text.length || text[i] === ',') {
      if (i > start) terms.push(text.slice(start, i));
      start = i + 1;
    }
  }
  if (start < text.length) terms.push(text.slice(start));
  return terms;
}

/** Returns the term, the error of its value, or "" for a term without an operator. */
function readTerm(text: string): Term | string {
  const equals = text.indexOf('=');
  if (equals < 0) return '';
  const differs = text[equals - 1] === '!';
  const value = unescapeFieldValue(text.slice(equals + (!differs && text[equals + 1] === '=' ? 2 : 1)));
  if (typeof value === 'object') return value.problem;
  return { text, field: text.slice(0, differs ? equals - 1 : equals), operator: differs ? '!=' : '=', value };
}

export function escapeFieldValue(value: string): string {
  return value.replace(/[\\,=]/g, '\\$&');
}

function unescapeFieldValue(value: string): string | { readonly problem: string } {
  const special = /[\\,=]/g;
  let text = '';
  let from = 0;
  for (let found = special.exec(value); found !== null; found = special.exec(value)) {
    // Upstream prints the code of the character.
    if (found[0] !== '\\') {
      return { problem: `invalid field selector: unescaped character in value: ${found[0].charCodeAt(0)}` };
    }
    const code = value.codePointAt(found.index + 1);
    const next = code === undefined ? '' : String.fromCodePoint(code);
    if (next !== '\\' && next !== ',' && next !== '=') {
      return { problem: `invalid field selector: invalid escape sequence: \\${next}` };
    }
    text += value.slice(from, found.index) + next;
    from = found.index + 2;
    special.lastIndex = from;
  }
  return from === 0 ? value : text + value.slice(from);
}
