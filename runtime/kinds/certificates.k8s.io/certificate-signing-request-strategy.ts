import type { KubeObject } from '../../machinery/object.ts';
import { timeText } from '../../machinery/scalars/time.ts';
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
} from '../../machinery/validation/field-error.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import type { RESTStrategy } from '../../resources/rest.ts';

/** Who asks for a certificate is what the server saw, not what the request says. (pkg/registry/certificates/certificates) */
export const certificateSigningRequestStrategy: RESTStrategy = {
  prepareForCreate(request, { user }) {
    const spec = { ...request.spec };
    for (const field of ['username', 'uid', 'groups', 'extra']) delete spec[field];
    if (user.name !== '') spec.username = user.name;
    if (user.uid !== '') spec.uid = user.uid;
    if (user.groups.length > 0) spec.groups = [...user.groups];
    if (Object.keys(user.extra).length > 0) spec.extra = structuredClone(user.extra);
    request.spec = spec;
  },
  prepareForUpdate(request, old, { subresource, now, part }) {
    request.spec = old.spec;
    if (part === 'main') return;
    const asked: Condition[] = request.status?.conditions ?? [];
    const before: Condition[] = old.status?.conditions ?? [];
    if (subresource === 'approval') {
      request.status = { ...old.status, conditions: stamped(asked, before, now) };
    } else {
      request.status = { ...request.status, conditions: stamped(approvalsKept(asked, before), before, now) };
    }
    if (request.status.conditions.length === 0) delete request.status.conditions;
  },
  validateUpdate(request, old, errors, { subresource }) {
    validateConditions(request.status?.conditions ?? [], old.status?.conditions ?? [], errors);
    validateChanges(request, old, subresource, errors);
  },
};

interface Condition {
  readonly type: string;
  readonly status?: string;
  readonly lastUpdateTime?: string | null;
  readonly lastTransitionTime?: string | null;
}

const approvals = ['Approved', 'Denied'];
const final = [...approvals, 'Failed'];
const conditionsPath = FieldPath.of('status', 'conditions');

/** Conditions of approval as they were; where some came or went, the validation says so. (preserveConditionInstances) */
function approvalsKept(asked: readonly Condition[], before: readonly Condition[]): Condition[] {
  const kept = [...asked];
  for (const type of approvals) {
    const old = before.filter((condition) => condition.type === type);
    const places = asked.flatMap((condition, index) => (condition.type === type ? [index] : []));
    if (places.length === old.length) for (const [nth, index] of places.entries()) kept[index] = old[nth];
  }
  return kept;
}

/** What was wrong before may stay wrong. (pkg/apis/certificates/validation validateConditions) */
function validateConditions(
  conditions: readonly Condition[],
  before: readonly Condition[],
  errors: FieldError[],
): void {
  const known = new Map<string, Condition>();
  const twice = new Set<string>();
  for (const condition of before) {
    if (known.has(condition.type)) twice.add(condition.type);
    else known.set(condition.type, condition);
  }
  const wasBoth = approvals.every((type) => known.has(type));
  const earlier = new Set<string>();
  for (const [index, { type, status = '' }] of conditions.entries()) {
    const path = conditionsPath.index(index);
    if (!type && !known.has('')) errors.push(required(path.child('type')));
    if (final.includes(type)) {
      const old = known.get(type);
      const wasOdd = old !== undefined && old.status !== 'True';
      if (status === '' && !wasOdd) errors.push(required(path.child('status')));
      else if (status !== 'True' && !wasOdd) errors.push(notSupported(path.child('status'), status, ['True']));
    }
    if (approvals.includes(type) && !wasBoth && approvals.some((one) => one !== type && earlier.has(one))) {
      errors.push(invalid(path.child('type'), type, 'Approved and Denied conditions are mutually exclusive'));
    }
    if (earlier.has(type) && !twice.has(type)) errors.push(duplicate(path.child('type'), type));
    earlier.add(type);
  }
}

/** What is final stays, and each subresource writes its part. (validateCertificateSigningRequestUpdate) */
function validateChanges(
  request: KubeObject,
  old: KubeObject,
  subresource: string | undefined,
  errors: FieldError[],
): void {
  const of = (object: KubeObject, type: string): Condition[] =>
    (object.status?.conditions ?? []).filter((condition: Condition) => condition.type === type);
  for (const type of final) {
    if (of(request, type).length >= of(old, type).length) continue;
    errors.push(forbidden(conditionsPath, `updates may not remove a condition of type "${type}"`));
  }
  if (subresource !== 'approval') {
    for (const type of approvals) {
      if (of(request, type).length <= of(old, type).length) continue;
      errors.push(forbidden(conditionsPath, `updates may not add a condition of type "${type}"`));
    }
  }
  const { certificate = '' } = request.status ?? {};
  const { certificate: issued = '' } = old.status ?? {};
  if (subresource === 'status' && issued !== '' && certificate !== issued) {
    errors.push(
      forbidden(FieldPath.of('status', 'certificate'), 'updates may not modify existing certificate content'),
    );
  }
}

/** Conditions say when they came and when they last changed. (populateConditionTimestamps) */
function stamped(conditions: readonly Condition[], before: readonly Condition[], now: number): Condition[] {
  const present = timeText(now);
  const keyOf = ({ type, status }: Condition): string => JSON.stringify([type, status]);
  // the first of those that are alike
  const known = new Map([...before].reverse().map((condition) => [keyOf(condition), condition]));
  return conditions.map((condition) => {
    const same = known.get(keyOf(condition));
    return {
      ...condition,
      lastUpdateTime: condition.lastUpdateTime || present,
      lastTransitionTime: condition.lastTransitionTime || same?.lastTransitionTime || present,
    };
  });
}
