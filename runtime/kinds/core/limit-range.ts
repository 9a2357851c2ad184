import type { Part } from '../../machinery/object.ts';
import { compareQuantities } from '../../machinery/scalars/quantity.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { labelKey as qualifiedName } from '../../machinery/validation/name-formats.ts';
import { validateFormat } from '../validation/fields.ts';
import {
  addMissing,
  isOvercommitAllowed,
  quantityOf,
  roundResourceList,
  validateContainerResourceName,
  validateResourceName,
} from './resource-list.ts';

/** (SetDefaults_LimitRangeItem) Limits on containers default to the most, requests to the limit, else to the least. */
export function setLimitRangeDefaults(item: Part): void {
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
export function validateLimitRange(range: Part, field: Field): void {
  const seen = new Set<string>();
  for (const [index, limit] of (range.spec?.limits ?? []).entries()) {
    const at = field.child('spec', 'limits').index(index);
    const { type = '' } = limit;
    const before = field.errors.length;
    validateFormat(type, qualifiedName, at.child('type'));
    if (field.errors.length === before && !type.includes('/') && !limitTypes.has(type)) {
      at.child('type').invalid(type, 'must be a standard limit type or fully qualified');
    }
    if (seen.has(type)) at.child('type').duplicate(type);
    seen.add(type);
    validateLimitRangeItem(limit, at);
  }
}

function validateLimitRangeItem(limit: Part, field: Field): void {
  const checkResource =
    limit.type === 'Pod' || limit.type === 'Container' ? validateContainerResourceName : validateResourceName;
  const lists = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'];
  for (const list of lists) {
    const names = Object.keys(limit[list] ?? {});
    if (limit.type === 'Pod' && list.startsWith('default')) {
      if (names.length > 0) field.child(list).forbidden("may not be specified when `type` is 'Pod'");
    } else for (const name of names) checkResource(name, field.child(list).key(name));
  }
  if (limit.type === 'PersistentVolumeClaim' && !limit.min?.storage && !limit.max?.storage) {
    const detail = 'either minimum or maximum storage value is required, but neither was provided';
    field.child('limits').required(detail);
  }
  const names = new Set(lists.flatMap((list) => Object.keys(limit[list] ?? {})));
  for (const name of names) validateLimitOrder(name, limit, field);
}

function validateLimitOrder(name: string, limit: Part, field: Field): void {
  const pod = limit.type === 'Pod';
  // a name may be one that every object inherits
  const amounts = (list: Part): Part => (list && Object.hasOwn(list, name) ? list : undefined);
  const [min, max, ratio] = [limit.min, limit.max, limit.maxLimitRequestRatio].map(amounts);
  const defaults = pod ? undefined : amounts(limit.default);
  const requests = pod ? undefined : amounts(limit.defaultRequest);
  const exceeds = (low: Part, high: Part): boolean =>
    low?.[name] !== undefined &&
    high?.[name] !== undefined &&
    compareQuantities(quantityOf(low[name]), quantityOf(high[name])) > 0;
  const report = (list: string, shown: string, detail: string): void => {
    field.child(list).key(name).invalid(shown, detail);
  };
  if (exceeds(min, max)) report('min', min[name], `min value ${min[name]} is greater than max value ${max[name]}`);
  if (exceeds(min, requests)) {
    const detail = `min value ${min[name]} is greater than default request value ${requests[name]}`;
    report('defaultRequest', requests[name], detail);
  }
  if (exceeds(requests, max)) {
    const detail = `default request value ${requests[name]} is greater than max value ${max[name]}`;
    report('defaultRequest', requests[name], detail);
  }
  if (exceeds(requests, defaults)) {
    const detail = `default request value ${requests[name]} is greater than default limit value ${defaults[name]}`;
    report('defaultRequest', requests[name], detail);
  }
  if (exceeds(min, defaults)) {
    report('default', min[name], `min value ${min[name]} is greater than default value ${defaults[name]}`);
  }
  if (exceeds(defaults, max)) {
    report('default', max[name], `default value ${defaults[name]} is greater than max value ${max[name]}`);
  }
  if (ratio?.[name] !== undefined && compareQuantities(quantityOf(ratio[name]), quantityOf('1')) < 0) {
    report('maxLimitRequestRatio', ratio[name], `ratio ${ratio[name]} is less than 1`);
  }
  if (!isOvercommitAllowed(name) && (exceeds(defaults, requests) || exceeds(requests, defaults))) {
    const detail = `default value ${defaults[name]} must equal to defaultRequest value ${requests[name]} in ${name}`;
    report('defaultRequest', requests[name], detail);
  }
}
