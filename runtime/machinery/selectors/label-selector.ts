import { messageOf } from '../errors/message-of.ts';
import { quote } from '../go/quote.ts';
import { fieldErrorMessage, invalid } from '../validation/field-error.ts';
import { FieldPath } from '../validation/field-path.ts';
import { LabelTokenReader } from './label-lexer.ts';
import { LabelMatcher } from './label-matcher.ts';
import { formatRequirement, keyProblems, type LabelOperator, type LabelRequirement, newRequirement } from './label-requirement.ts';
import { SelectorError } from './selector-error.ts';

export type { LabelOperator, LabelRequirement } from './label-requirement.ts';

type Labels = Readonly<Record<string, string>>;
const none: Labels = {};

/** Conditions on labels. All of them must hold. (apimachinery pkg/labels/selector.go) */
export interface LabelSelector {
  matches(labels: Labels | undefined): boolean;
  /** Sorted by key. Empty for selectors that match everything or nothing (see matchesNothing). */
  readonly requirements: readonly LabelRequirement[];
  /** True if all labels match. */
  readonly isEmpty: boolean;
  /** True for the selector of an absent metav1.LabelSelector. */
  readonly matchesNothing: boolean;
  /** The required value of a label; undefined if the selector does not require one. */
  requiresExactMatch(key: string): string | undefined;
  /** Formats the selector for a query, sorted by key. */
  toString(): string;
}

/** Sorts and compiles its requirements on first use. */
class Requirements implements LabelSelector {
  readonly matchesNothing = false;
  readonly #given: readonly LabelRequirement[];
  #sorted: readonly LabelRequirement[] | undefined;
  #matcher: LabelMatcher | undefined;

  /** @param matcher of the requirements, if it has been made */
  constructor(given: readonly LabelRequirement[], matcher?: LabelMatcher) {
    this.#given = given;
    this.#matcher = matcher;
  }

  get requirements(): readonly LabelRequirement[] {
    this.#sorted ??= [...this.#given].sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
    return this.#sorted;
  }

  get isEmpty(): boolean {
    return this.#given.length === 0;
  }

  matches(labels: Labels | undefined): boolean {
    this.#matcher ??= new LabelMatcher(this.#given);
    return this.#matcher.matches(labels ?? none);
  }

  requiresExactMatch(key: string): string | undefined {
    const found = this.#given.find((requirement) => requirement.key === key);
    if (found === undefined || found.values.length !== 1) return undefined;
    return found.operator === '=' || found.operator === '==' || found.operator === 'in' ? found.values[0] : undefined;
  }

  toString(): string {
    return this.requirements.map(formatRequirement).join(',');
  }
}

/** Matches every object. */
export const everyLabel: LabelSelector = new Requirements([]);

/** Matches no object. */
const noLabel: LabelSelector = {
  matches: () => false,
  requirements: [],
  isEmpty: false,
  matchesNothing: true,
  requiresExactMatch: () => undefined,
  toString: () => '',
};

/**
 * Parses the value of `labelSelector=`, for instance `x in (a,,b),y,!z,w!=1,n>5`. An empty text matches everything.
 *
 * @throws SelectorError
 */
export function parseLabelSelector(text: string): LabelSelector {
  const reading = readLabelSelector(text);
  for (;;) {
    const { done, value } = reading.next();
    if (done) return value;
  }
}

/** How many requirements are parsed, or compiled, in one step, which takes some milliseconds. */
const requirementsPerStep = 5_000;

/** Parses, and compiles, in steps, so that other requests can run in between: a URL has room for 90,000 requirements. */
export function* readLabelSelector(text: string): Generator<void, LabelSelector> {
  if (text === '') return everyLabel;
  const tokens = new LabelTokenReader(text);
  const requirements: LabelRequirement[] = [];
  for (;;) {
    const first = tokens.peek();
    if (first.kind === 'end') break;
    if (first.kind !== 'identifier' && first.kind !== '!') {
      throw new SelectorError(`found '${first.text}', expected: !, identifier, or 'end of string'`);
    }
    requirements.push(parseOne(tokens));
    if (requirements.length % requirementsPerStep === 0) yield;
    const after = tokens.take();
    if (after.kind === 'end') break;
    if (after.kind !== ',') throw new SelectorError(`found '${after.text}', expected: ',' or 'end of string'`);
    const next = tokens.peek();
    if (next.kind !== 'identifier' && next.kind !== '!') {
      throw new SelectorError(`found '${next.text}', expected: identifier after ','`);
    }
  }
  if (requirements.length <= requirementsPerStep) return new Requirements(requirements);
  const matcher = new LabelMatcher();
  for (const [at, requirement] of requirements.entries()) {
    if (at % requirementsPerStep === 0) yield;
    matcher.add(requirement);
  }
  return new Requirements(requirements, matcher);
}

function parseOne(tokens: LabelTokenReader): LabelRequirement {
  try {
    return parseRequirement(tokens);
  } catch (error) {
    throw new SelectorError(`unable to parse requirement: ${messageOf(error)}`);
  }
}

function parseRequirement(tokens: LabelTokenReader): LabelRequirement {
  let token = tokens.take();
  const absent = token.kind === '!';
  if (absent) token = tokens.take();
  if (token.kind !== 'identifier') throw new SelectorError(`found '${token.text}', expected: identifier`);
  const key = token.text;
  const keyErrors = keyProblems(key);
  if (keyErrors.length > 0) {
    throw new SelectorError(fieldErrorMessage(invalid(FieldPath.root, key, keyErrors.join('; '))));
  }
  if (absent) return newRequirement(key, '!', []);
  const next = tokens.peek();
  if (next.kind === 'end' || next.kind === ',') return newRequirement(key, 'exists', []);
  const operator = tokens.takeOperator();
  switch (operator.kind) {
    case 'in':
    case 'notin':
      return newRequirement(key, operator.kind, [...new Set(parseValues(tokens))].sort());
    case '=':
    case '==':
    case '!=':
      return newRequirement(key, operator.kind, [parseValue(tokens)]);
    case '>':
      return newRequirement(key, 'gt', [parseValue(tokens)]);
    case '<':
      return newRequirement(key, 'lt', [parseValue(tokens)]);
    default:
      throw new SelectorError(`found '${operator.text}', expected: in, notin, =, ==, !=, gt, lt`);
  }
}

/** Reads `(a,b)`. Empty values count: `()`, `(,a)`, `(a,,b)`. */
function parseValues(tokens: LabelTokenReader): string[] {
  const opening = tokens.take();
  if (opening.kind !== '(') throw new SelectorError(`found '${opening.text}' expected: '('`);
  const first = tokens.peek();
  if (first.kind === ')') {
    tokens.take();
    return [''];
  }
  if (first.kind !== 'identifier' && first.kind !== ',') {
    throw new SelectorError(`found '${first.text}', expected: ',', ')' or identifier`);
  }
  const values: string[] = [];
  for (;;) {
    const token = tokens.take();
    const next = tokens.peek();
    if (token.kind === 'identifier') {
      values.push(token.text);
      if (next.kind !== ',' && next.kind !== ')') {
        throw new SelectorError(`found '${next.text}', expected: ',' or ')'`);
      }
    } else if (token.kind === ',') {
      if (values.length === 0 || next.kind === ')' || next.kind === ',') values.push('');
    } else {
      throw new SelectorError(`found '${token.text}', expected: ',', or identifier`);
    }
    if (next.kind === ')') {
      tokens.take();
      return values;
    }
  }
}

function parseValue(tokens: LabelTokenReader): string {
  const next = tokens.peek();
  if (next.kind === 'end' || next.kind === ',') return '';
  const token = tokens.take();
  if (token.kind !== 'identifier') throw new SelectorError(`found '${token.text}', expected: identifier`);
  return token.text;
}

/** metav1.LabelSelector in its JSON shape. */
export interface LabelSelectorObject {
  readonly matchLabels?: Labels;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
}

const operators: ReadonlyMap<string, LabelOperator> = new Map([
  ['In', 'in'],
  ['NotIn', 'notin'],
  ['Exists', 'exists'],
  ['DoesNotExist', '!'],
]);

/**
 * Returns the selector of a metav1.LabelSelector. An absent one matches nothing, an empty one everything. (apimachinery
 * pkg/apis/meta/v1/helpers.go LabelSelectorAsSelector)
 *
 * @throws SelectorError
 */
export function labelSelectorFromObject(object: LabelSelectorObject | null | undefined): LabelSelector {
  if (object === null || object === undefined) return noLabel;
  const { matchLabels = none } = object;
  const requirements = Object.entries(matchLabels).map(([key, value]) => newRequirement(key, '=', [value]));
  for (const { key, operator, values } of object.matchExpressions ?? []) {
    const known = operators.get(operator);
    if (known === undefined) throw new SelectorError(`${quote(operator)} is not a valid label selector operator`);
    requirements.push(newRequirement(key, known, values?.length ? [...values] : undefined));
  }
  return requirements.length === 0 ? everyLabel : new Requirements(requirements);
}
