import type * as core from '../../../generated/v1.35/core/v1/types.ts';
import { memberOf } from '../../machinery/json/values.ts';
import { maxInt64 } from '../../machinery/scalars/integers.ts';
import { compareQuantities, scaledQuantityValue } from '../../machinery/scalars/quantity.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { labelKey as qualifiedName } from '../../machinery/validation/name-formats.ts';
import type { RESTStrategy } from '../../resources/rest.ts';
import { validateFormat } from '../validation/fields.ts';
import { validatedBy } from '../validation/validated-by.ts';
import {
  addMissing,
  isOvercommitAllowed,
  quantityOf,
  roundResourceList,
  validateContainerResourceName,
  validateResourceName,
} from './resource-list.ts';

type LimitRange = Unvalidated<core.LimitRange>;
type LimitRangeItem = Unvalidated<core.LimitRangeItem>;

/**
 * In limits for containers, `default` defaults to `max`, and `defaultRequest` to `default` or `min`.
 * (SetDefaults_LimitRangeItem)
 */
export function setLimitRangeDefaults(item: LimitRangeItem): void {
  if (item.type === 'Container') {
    const limits = { ...item.default };
    addMissing(limits, item.max);
    const requests = { ...item.defaultRequest };
    addMissing(requests, limits);
    addMissing(requests, item.min);
    if (Object.keys(limits).length > 0) item.default = limits;
    if (Object.keys(requests).length > 0) item.defaultRequest = requests;
  }
  for (const list of [item.max, item.min, item.default, item.defaultRequest, item.maxLimitRequestRatio]) {
    roundResourceList(list);
  }
}

const limitTypes: ReadonlySet<string> = new Set(['Pod', 'Container', 'PersistentVolumeClaim']);

/** (ValidateLimitRange) */
function validateLimitRange(range: LimitRange, field: Field): void {
  const seen = new Set<string>();
  for (const [index, limit] of (range.spec?.limits ?? []).entries()) {
    const at = field.child('spec', 'limits').index(index);
    const { type = '' } = limit;
    const errorsBefore = field.errors.length;
    validateFormat(type, qualifiedName, at.child('type'));
    if (field.errors.length === errorsBefore && !type.includes('/') && !limitTypes.has(type)) {
      at.child('type').invalid(type, 'must be a standard limit type or fully qualified');
    }
    if (seen.has(type)) at.child('type').duplicate(type);
    seen.add(type);
    validateLimitRangeItem(limit, at);
  }
}

/** (pkg/registry/core/limitrange/strategy.go) */
export const limitRangeStrategy: RESTStrategy = {
  prepareForCreate({ metadata }, { stores }) {
    metadata.name ||= stores.random.uuid('limitranges', metadata.namespace);
  },
  ...validatedBy(validateLimitRange, (range: LimitRange, _old, field) => validateLimitRange(range, field)),
};

const lists = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'] as const;

function validateLimitRangeItem(limit: LimitRangeItem, field: Field): void {
  const validateName = limit.type === 'Pod' || limit.type === 'Container' ? validateContainerResourceName : validateResourceName;
  for (const list of lists) {
    const names = Object.keys(limit[list] ?? {});
    if (limit.type === 'Pod' && list.startsWith('default')) {
      if (names.length > 0) field.child(list).forbidden("may not be specified when `type` is 'Pod'");
    } else for (const name of names) validateName(name, field.child(list).key(name));
  }
  if (limit.type === 'PersistentVolumeClaim' && !limit.min?.storage && !limit.max?.storage) {
    field.child('limits').required('either minimum or maximum storage value is required, but neither was provided');
  }
  const names = new Set(lists.flatMap((list) => Object.keys(limit[list] ?? {})));
  for (const name of names) validateAmountsOf(name, limit, field);
}

/** The amounts of one resource: min <= default requests <= default limits <= max. */
function validateAmountsOf(name: string, limit: LimitRangeItem, field: Field): void {
  const isPod = limit.type === 'Pod';
  const amountIn = (list: (typeof lists)[number]): string | undefined => memberOf(limit[list] ?? {}, name);
  const min = amountIn('min');
  const max = amountIn('max');
  const ratio = amountIn('maxLimitRequestRatio');
  const defaultLimit = isPod ? undefined : amountIn('default');
  const defaultRequest = isPod ? undefined : amountIn('defaultRequest');
  const report = (list: (typeof lists)[number], badValue: string | undefined, detail: string): void => {
    field.child(list).key(name).invalid(badValue, detail);
  };
  if (exceeds(min, max)) report('min', min, `min value ${min} is greater than max value ${max}`);
  if (exceeds(min, defaultRequest)) {
    const detail = `min value ${min} is greater than default request value ${defaultRequest}`;
    report('defaultRequest', defaultRequest, detail);
  }
  if (exceeds(defaultRequest, max)) {
    const detail = `default request value ${defaultRequest} is greater than max value ${max}`;
    report('defaultRequest', defaultRequest, detail);
  }
  if (exceeds(defaultRequest, defaultLimit)) {
    const detail = `default request value ${defaultRequest} is greater than default limit value ${defaultLimit}`;
    report('defaultRequest', defaultRequest, detail);
  }
  if (exceeds(min, defaultLimit)) {
    report('default', min, `min value ${min} is greater than default value ${defaultLimit}`);
  }
  if (exceeds(defaultLimit, max)) {
    report('default', max, `default value ${defaultLimit} is greater than max value ${max}`);
  }
  if (exceeds('1', ratio)) report('maxLimitRequestRatio', ratio, `ratio ${ratio} is less than 1`);
  validateRatio({ min, max, ratio }, field.child('maxLimitRequestRatio').key(name));
  if (!isOvercommitAllowed(name) && (exceeds(defaultLimit, defaultRequest) || exceeds(defaultRequest, defaultLimit))) {
    const detail = `default value ${defaultLimit} must equal to defaultRequest value ${defaultRequest} in ${name}`;
    report('defaultRequest', defaultRequest, detail);
  }
}

interface RatioAmounts {
  readonly min: string | undefined;
  readonly max: string | undefined;
  readonly ratio: string | undefined;
}

/** (resource.MaxMilliValue) */
const maxMilliValue = maxInt64 / 1000n;

/** The ratio must not exceed max / min. Amounts count in thousandths unless they are too large. */
function validateRatio({ min, max, ratio }: RatioAmounts, field: Field): void {
  if (min === undefined || max === undefined || ratio === undefined) return;
  const quantities = [ratio, max, min].map(quantityOf);
  const values = quantities.map((quantity) => scaledQuantityValue(quantity));
  const isSmall = values.every((value) => value < maxMilliValue);
  const [above, most, least] = isSmall ? quantities.map((quantity) => scaledQuantityValue(quantity, -3)) : values;
  const limit = Number(most) / Number(least);
  if ((isSmall ? Number(above) / 1000 : Number(above)) <= limit || Number.isNaN(limit)) return;
  field.invalid(ratio, `ratio ${ratio} is greater than max/min = ${limit.toFixed(6)}`);
}

const exceeds = (amount: string | undefined, other: string | undefined): boolean =>
  amount !== undefined && other !== undefined && compareQuantities(quantityOf(amount), quantityOf(other)) > 0;
