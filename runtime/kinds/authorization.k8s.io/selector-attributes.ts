import type {
  FieldSelectorAttributes,
  LabelSelectorAttributes,
  ResourceAttributes,
} from '../../../generated/v1.35/authorization.k8s.io/v1/types.ts';
import { escapeFieldValue, parseFieldSelector } from '../../machinery/selectors/field-selector.ts';
import { formatRequirement, type LabelOperator, newRequirement } from '../../machinery/selectors/label-requirement.ts';
import { parseLabelSelector } from '../../machinery/selectors/label-selector.ts';
import { isSelectorError, SelectorError } from '../../machinery/selectors/selector-error.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { labelKey, labelValue } from '../../machinery/validation/name-formats.ts';
import { validateFormat } from '../validation/fields.ts';

/** The selectors of access reviews. (pkg/apis/authorization/validation, pkg/registry/authorization/util) */

type Requirement = Unvalidated<NonNullable<FieldSelectorAttributes['requirements']>[number]>;
type Attributes = Unvalidated<FieldSelectorAttributes | LabelSelectorAttributes>;

/** (validateResourceAttributes) */
export function validateSelectorAttributes({ fieldSelector, labelSelector }: ResourceAttributes, field: Field): void {
  validateAttributes(fieldSelector, field, 'fieldSelector', (requirement, at) => {
    if (!requirement.key) at.child('key').required('must be specified');
    validateOperator(requirement, at);
  });
  validateAttributes(labelSelector, field, 'labelSelector', (requirement, at) => {
    validateOperator(requirement, at);
    validateFormat(requirement.key ?? '', labelKey, at.child('key'));
    for (const [index, value] of (requirement.values ?? []).entries()) {
      validateFormat(value, labelValue, at.child('values').index(index));
    }
  });
}

function validateAttributes(
  selector: Attributes | undefined,
  parent: Field,
  name: 'fieldSelector' | 'labelSelector',
  validate: (requirement: Requirement, field: Field) => void,
): void {
  if (selector === undefined) return;
  const { rawSelector = '', requirements = [] } = selector;
  const field = parent.child(name);
  if (rawSelector !== '' && requirements.length > 0) {
    field.child('rawSelector').invalid(rawSelector, 'may not specified at the same time as requirements');
  }
  if (rawSelector === '' && requirements.length === 0) {
    const path = `spec.resourceAttributes.${name}`;
    field.child('requirements').required(`when ${path} is specified, requirements or rawSelector is required`);
  }
  for (const [index, requirement] of requirements.entries()) {
    validate(requirement, field.child('requirements').index(index));
  }
}

/** Unknown operators are allowed, since a newer client may know them. (AllowUnknownOperatorInRequirement) */
function validateOperator({ operator, values = [] }: Requirement, field: Field): void {
  if ((operator === 'In' || operator === 'NotIn') && values.length === 0) {
    field.child('values').required("must be specified when `operator` is 'In' or 'NotIn'");
  }
  if ((operator === 'Exists' || operator === 'DoesNotExist') && values.length > 0) {
    field.child('values').forbidden("may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
  }
}

/** Selectors in query form. Unreadable parts are left out, which makes the check broader. */
export interface SelectorTexts {
  readonly fieldSelector: string;
  readonly labelSelector: string;
  /** The errors of the parts that were left out, for the evaluationError of a review. */
  readonly errors: readonly string[];
}

/** (ResourceAttributesFrom, BuildEvaluationError) */
export function selectorTexts({ fieldSelector, labelSelector }: ResourceAttributes): SelectorTexts {
  const errors: string[] = [];
  return {
    fieldSelector: selectorText(fieldSelector, 'fieldSelector', errors, {
      parse: (text) => parseFieldSelector(text).toString(),
      format: formatFieldRequirement,
    }),
    labelSelector: selectorText(labelSelector, 'labelSelector', errors, {
      parse: (text) => parseLabelSelector(text).toString(),
      format: formatLabelRequirement,
    }),
    errors,
  };
}

interface SelectorSyntax {
  /** @throws SelectorError */
  parse(text: string): string;
  /** @throws SelectorError */
  format(requirement: Requirement): string;
}

function selectorText(
  { rawSelector = '', requirements = [] }: Attributes = {},
  name: string,
  errors: string[],
  { parse, format }: SelectorSyntax,
): string {
  // validation allows only one of the two
  const given = rawSelector === '' ? requirements : [rawSelector];
  const found = given.flatMap((one) => readable(() => (typeof one === 'string' ? parse(one) : format(one))) ?? []);
  if (found.length < given.length) {
    const ignored = found.length > 0 ? 'partially ignored' : 'ignored';
    errors.push(`spec.resourceAttributes.${name} ${ignored} due to parse error`);
  }
  return found.join(',');
}

/** Returns undefined if `read` throws a SelectorError. */
function readable(read: () => string): string | undefined {
  try {
    return read();
  } catch (error) {
    if (isSelectorError(error)) return undefined;
    throw error;
  }
}

/** (fieldSelectorAsSelector) */
function formatFieldRequirement({ key = '', operator = '', values = [] }: Requirement): string {
  const [only = '', ...others] = values;
  if (values.length > 0 && others.length === 0 && (operator === 'In' || operator === 'NotIn')) {
    return `${key}${operator === 'In' ? '=' : '!='}${escapeFieldValue(only)}`;
  }
  throw new SelectorError('only one value is supported');
}

const labelOperators: Readonly<Record<string, LabelOperator>> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: '!',
};

/** (labelSelectorAsSelector) */
function formatLabelRequirement({ key = '', operator = '', values = [] }: Requirement): string {
  const known = Object.hasOwn(labelOperators, operator) ? labelOperators[operator] : undefined;
  if (known === undefined) throw new SelectorError('not a valid label selector operator');
  return formatRequirement(newRequirement(key, known, values));
}
