import { type FieldError, fieldErrorMessage, invalid } from '../field-error.ts';
import { FieldPath } from '../field-path.ts';
import { labelKey, labelValue } from '../name-formats.ts';
import { SelectorError } from './selector-error.ts';

/** (apimachinery pkg/selection/operator.go) */
export type LabelOperator = '=' | '==' | '!=' | 'in' | 'notin' | 'exists' | '!' | 'gt' | 'lt';

/** One condition of a label selector. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  /** None for exists and !, one for =, ==, !=, gt and lt, one or more for in and notin. */
  readonly values: readonly string[];
}

type Labels = Readonly<Record<string, string>>;

/**
 * Checks a requirement and makes it. Throws SelectorError.
 *
 * @param values undefined is Go's nil slice, which messages show as null
 */
export function newRequirement(
  key: string,
  operator: LabelOperator,
  values: readonly string[] | undefined,
): LabelRequirement {
  const errors: FieldError[] = [];
  const list = values ?? [];
  const at = FieldPath.of('values');
  const wrong = (detail: string): void => {
    errors.push(invalid(at, values ?? null, detail));
  };
  const keyErrors = labelKey(key);
  if (keyErrors.length > 0) errors.push(invalid(FieldPath.of('key'), key, keyErrors.join('; ')));
  if (operator === 'in' || operator === 'notin') {
    if (list.length === 0) wrong("for 'in', 'notin' operators, values set can't be empty");
  } else if (operator === 'exists' || operator === '!') {
    if (list.length !== 0) wrong('values set must be empty for exists and does not exist');
  } else if (operator === 'gt' || operator === 'lt') {
    if (list.length !== 1) wrong("for 'Gt', 'Lt' operators, exactly one value is required");
    list.forEach((value, i) => {
      if (parseInt64(value) === undefined) {
        errors.push(invalid(at.index(i), value, "for 'Gt', 'Lt' operators, the value must be an integer"));
      }
    });
  } else if (list.length !== 1) wrong('exact-match compatibility requires one single value');
  list.forEach((value, i) => {
    const valueErrors = labelValue(value);
    if (valueErrors.length > 0) errors.push(invalid(at.index(i).key(key), value, valueErrors.join('; ')));
  });
  if (errors.length > 0) {
    const messages = [...new Set(errors.map(fieldErrorMessage))];
    throw new SelectorError(messages.length === 1 ? messages[0] : `[${messages.join(', ')}]`);
  }
  return { key, operator, values: list };
}

/** Whether the labels fulfil one requirement. An absent label fulfils != and notin, never gt and lt. */
export function requirementMatches(requirement: LabelRequirement, labels: Labels): boolean {
  const { key, operator, values } = requirement;
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case '=':
    case '==':
    case 'in':
      return value !== undefined && values.includes(value);
    case '!=':
    case 'notin':
      return value === undefined || !values.includes(value);
    case 'exists':
      return value !== undefined;
    case '!':
      return value === undefined;
    default: {
      const left = value === undefined ? undefined : parseInt64(value);
      const right = parseInt64(values[0]);
      if (left === undefined || right === undefined) return false;
      return operator === 'gt' ? left > right : left < right;
    }
  }
}

/** As it would be written in a query: `a in (x,y)`, `!b`, `c!=z`. */
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

/** strconv.ParseInt in base 10, undefined where that fails. */
function parseInt64(text: string): bigint | undefined {
  if (!/^[+-]?[0-9]+$/.test(text)) return undefined;
  const value = BigInt(text.startsWith('+') ? text.slice(1) : text);
  return value === BigInt.asIntN(64, value) ? value : undefined;
}
