import { maxReportedErrors } from '../limits.ts';
import { type FieldError, fieldErrorMessage, invalid } from '../validation/field-error.ts';
import { FieldPath } from '../validation/field-path.ts';
import { labelKey, labelValue } from '../validation/name-formats.ts';
import { SelectorError } from './selector-error.ts';

/** (apimachinery pkg/selection/operator.go) */
export type LabelOperator = '=' | '==' | '!=' | 'in' | 'notin' | 'exists' | '!' | 'gt' | 'lt';

/** One condition of a label selector. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  /** No value for exists and !, one for =, ==, !=, gt and lt, one or more for in and notin. */
  readonly values: readonly string[];
}

/**
 * Validates and creates a requirement.
 *
 * @param values undefined for Go's nil slice, which messages print as null
 * @throws SelectorError
 */
export function newRequirement(key: string, operator: LabelOperator, values: readonly string[] | undefined): LabelRequirement {
  const list = values ?? [];
  const wrong = problemOfValues(operator, list);
  const isRight =
    wrong === undefined &&
    (key === goodKey || labelKey(key).length === 0) &&
    list.every((value) => labelValue(value).length === 0 && (!isComparison(operator) || parseInt64(value) !== undefined));
  if (!isRight) throw refusal(key, operator, values, wrong);
  goodKey = key;
  return { key, operator, values: list };
}

/** The last valid key: long selectors tend to repeat one key. */
let goodKey = '';

/** Returns the errors of a key. */
export const keyProblems = (key: string): readonly string[] => (key === goodKey ? none : labelKey(key));
const none: readonly string[] = [];

const isComparison = (operator: LabelOperator): boolean => operator === 'gt' || operator === 'lt';

/** Returns an error for a wrong number of values. */
function problemOfValues(operator: LabelOperator, values: readonly string[]): string | undefined {
  switch (operator) {
    case 'in':
    case 'notin':
      return values.length > 0 ? undefined : "for 'in', 'notin' operators, values set can't be empty";
    case 'exists':
    case '!':
      return values.length === 0 ? undefined : 'values set must be empty for exists and does not exist';
    case 'gt':
    case 'lt':
      return values.length === 1 ? undefined : "for 'Gt', 'Lt' operators, exactly one value is required";
    default:
      return values.length === 1 ? undefined : 'exact-match compatibility requires one single value';
  }
}

/** Combines all errors of a requirement in one error. */
function refusal(key: string, operator: LabelOperator, values: readonly string[] | undefined, wrong: string | undefined): SelectorError {
  const errors: FieldError[] = [];
  const list = values ?? [];
  const at = FieldPath.of('values');
  const keyErrors = labelKey(key);
  if (keyErrors.length > 0) errors.push(invalid(FieldPath.of('key'), key, keyErrors.join('; ')));
  if (wrong !== undefined) errors.push(invalid(at, values ?? null, wrong));
  if (isComparison(operator)) {
    list.forEach((value, i) => {
      if (parseInt64(value) === undefined) {
        errors.push(invalid(at.index(i), value, "for 'Gt', 'Lt' operators, the value must be an integer"));
      }
    });
  }
  list.forEach((value, i) => {
    const valueErrors = labelValue(value);
    if (valueErrors.length > 0) errors.push(invalid(at.index(i).key(key), value, valueErrors.join('; ')));
  });
  const messages = [...new Set(errors.slice(0, maxReportedErrors).map(fieldErrorMessage))];
  return new SelectorError(messages.length === 1 ? messages[0] : `[${messages.join(', ')}]`);
}

/** Formats a requirement for a query: `a in (x,y)`, `!b`, `c!=z`. */
export function formatRequirement({ key, operator, values }: LabelRequirement): string {
  const list = [...values].sort().join(',');
  switch (operator) {
    case 'exists':
      return key;
    case '!':
      return `!${key}`;
    case 'in':
    case 'notin':
      return `${key} ${operator} (${list})`;
    case 'gt':
      return `${key}>${list}`;
    case 'lt':
      return `${key}<${list}`;
    default:
      return `${key}${operator}${list}`;
  }
}

/** Parses like strconv.ParseInt in base 10. Returns undefined for invalid text. */
export function parseInt64(text: string): bigint | undefined {
  const [, sign, digits] = /^([+-]?)0*([0-9]{1,19})$/.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const value = BigInt(`${sign === '-' ? '-' : ''}${digits}`);
  return value === BigInt.asIntN(64, value) ? value : undefined;
}
