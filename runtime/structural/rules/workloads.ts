import { forbidden, invalid, required } from '../../machinery/field-error.ts';
import type { FieldPath } from '../../machinery/field-path.ts';
import type { Part } from '../../machinery/object.ts';
import {
  checkEnum,
  checkImmutable,
  checkLabelSelector,
  checkNonNegative,
  type Errors,
  isEmptySelector,
  negativeText,
  sameValue,
  selectorMatches,
} from './checks.ts';
import { checkPodTemplate, checkTemplateMetadata } from './pods.ts';
import { checkReplicaCounts, countsOf } from './replica-counts.ts';
import { percent } from './text-formats.ts';

/** Deployments, replica sets, daemon sets, stateful sets. (pkg/apis/apps/validation/validation.go) */

/** Selector and template of a workload whose pods are always restarted. `kind` is how messages name it. */
function checkSelectorAndTemplate(
  spec: Part,
  names: { readonly selector: string; readonly kind: string; readonly checkTemplate?: typeof checkPodTemplate },
  path: FieldPath,
  errors: Errors,
): void {
  const at = path.child('selector');
  const before = errors.length;
  // no selector matches no labels, so that it is wrong twice; of daemon sets only that is said
  if (!spec.selector) {
    if (names.selector !== 'daemonset') errors.push(required(at));
  } else {
    checkLabelSelector(spec.selector, at, errors);
    if (isEmptySelector(spec.selector)) {
      errors.push(invalid(at, spec.selector, `empty selector is invalid for ${names.selector}`));
    }
  }
  const template = path.child('template');
  const labels = spec.template?.metadata?.labels;
  if (!spec.selector || (errors.length === before && !selectorMatches(spec.selector, labels))) {
    const detail = '`selector` does not match template `labels`';
    errors.push(invalid(template.child('metadata', 'labels'), labels ?? null, detail));
  }
  (names.checkTemplate ?? checkPodTemplate)(spec.template, template, errors);
  checkEnum(spec.template?.spec?.restartPolicy ?? '', ['Always'], template.child('spec', 'restartPolicy'), errors);
  if (spec.template?.spec?.activeDeadlineSeconds !== undefined) {
    const detail = `activeDeadlineSeconds in ${names.kind} is not Supported`;
    errors.push(forbidden(template.child('spec', 'activeDeadlineSeconds'), detail));
  }
}

function checkCounts(spec: Part, names: readonly string[], path: FieldPath, errors: Errors): void {
  for (const name of names) checkNonNegative(spec[name], path.child(name), errors);
}

/** A count or a percentage. (ValidatePositiveIntOrPercent) */
export function checkCountOrPercent(value: number | string | undefined, path: FieldPath, errors: Errors): void {
  if (typeof value === 'string') {
    for (const message of percent(value)) errors.push(invalid(path, value, message));
  } else if (value !== undefined && value < 0) errors.push(invalid(path, value, negativeText));
}

const isAbsent = (value: number | string | undefined): boolean =>
  value === undefined || value === 0 || /^0*%?$/.test(String(value));

export function checkAtMostAll(value: number | string | undefined, path: FieldPath, errors: Errors): void {
  if (typeof value === 'string' && percent(value).length === 0 && Number.parseInt(value, 10) > 100) {
    errors.push(invalid(path, value, 'must not be greater than 100%'));
  }
}

export function validateDeployment(deployment: Part, path: FieldPath, errors: Errors): void {
  checkReplicaCounts(deployment, countsOf.deployment, path, errors);
  const spec = deployment.spec ?? {};
  const at = path.child('spec');
  checkNonNegative(spec.replicas, at.child('replicas'), errors);
  checkSelectorAndTemplate(spec, { selector: 'deployment', kind: 'ReplicaSet' }, at, errors);
  const { type, rollingUpdate } = spec.strategy ?? {};
  const strategy = at.child('strategy', 'rollingUpdate');
  if (type === 'Recreate' && rollingUpdate) {
    errors.push(forbidden(strategy, "may not be specified when strategy `type` is 'Recreate'"));
  } else if (type === 'RollingUpdate' && rollingUpdate) checkRollingUpdate(rollingUpdate, strategy, errors);
  checkCounts(spec, ['minReadySeconds', 'revisionHistoryLimit', 'progressDeadlineSeconds'], at, errors);
  const deadline = spec.progressDeadlineSeconds;
  if (deadline !== undefined && deadline <= (spec.minReadySeconds ?? 0)) {
    errors.push(invalid(at.child('progressDeadlineSeconds'), deadline, 'must be greater than minReadySeconds'));
  }
}

function checkRollingUpdate({ maxUnavailable, maxSurge }: Part, path: FieldPath, errors: Errors): void {
  checkCountOrPercent(maxUnavailable, path.child('maxUnavailable'), errors);
  checkCountOrPercent(maxSurge, path.child('maxSurge'), errors);
  if (isAbsent(maxUnavailable) && isAbsent(maxSurge)) {
    errors.push(invalid(path.child('maxUnavailable'), maxUnavailable, 'may not be 0 when `maxSurge` is 0'));
  }
  checkAtMostAll(maxUnavailable, path.child('maxUnavailable'), errors);
}

/** Deployments, replica sets and daemon sets keep their selector. */
export function updateSelector(object: Part, old: Part, path: FieldPath, errors: Errors): void {
  checkImmutable(object.spec?.selector, old.spec?.selector, path.child('spec', 'selector'), errors);
}

export function validateReplicaSet(replicaSet: Part, path: FieldPath, errors: Errors): void {
  checkReplicaCounts(replicaSet, countsOf.replicaSet, path, errors);
  const spec = replicaSet.spec ?? {};
  const at = path.child('spec');
  checkCounts(spec, ['replicas', 'minReadySeconds'], at, errors);
  checkSelectorAndTemplate(spec, { selector: 'deployment', kind: 'ReplicaSet' }, at, errors);
}

export function validateDaemonSet(daemonSet: Part, path: FieldPath, errors: Errors): void {
  checkReplicaCounts(daemonSet, countsOf.daemonSet, path, errors);
  const spec = daemonSet.spec ?? {};
  const at = path.child('spec');
  checkSelectorAndTemplate(spec, { selector: 'daemonset', kind: 'DaemonSet' }, at, errors);
  checkCounts(spec, ['minReadySeconds', 'revisionHistoryLimit'], at, errors);
  const { type, rollingUpdate } = spec.updateStrategy ?? {};
  if (type !== 'RollingUpdate' || !rollingUpdate) return;
  const { maxUnavailable, maxSurge } = rollingUpdate;
  const strategy = at.child('updateStrategy', 'rollingUpdate');
  checkCountOrPercent(maxUnavailable, strategy.child('maxUnavailable'), errors);
  checkAtMostAll(maxUnavailable, strategy.child('maxUnavailable'), errors);
  checkCountOrPercent(maxSurge, strategy.child('maxSurge'), errors);
  checkAtMostAll(maxSurge, strategy.child('maxSurge'), errors);
  if (!isAbsent(maxUnavailable) && !isAbsent(maxSurge)) {
    errors.push(invalid(strategy.child('maxSurge'), maxSurge, 'may not be set when maxUnavailable is non-zero'));
  } else if (isAbsent(maxUnavailable) && isAbsent(maxSurge)) {
    errors.push(required(strategy.child('maxUnavailable'), 'cannot be 0 when maxSurge is 0'));
  }
}

export function validateStatefulSet(statefulSet: Part, path: FieldPath, errors: Errors): void {
  checkReplicaCounts(statefulSet, countsOf.statefulSet, path, errors);
  const spec = statefulSet.spec ?? {};
  const at = path.child('spec');
  const policy = spec.podManagementPolicy ?? '';
  if (policy === '') errors.push(required(at.child('podManagementPolicy')));
  else if (policy !== 'OrderedReady' && policy !== 'Parallel') {
    errors.push(invalid(at.child('podManagementPolicy'), policy, "must be 'OrderedReady' or 'Parallel'"));
  }
  checkUpdateStrategy(spec.updateStrategy ?? {}, at.child('updateStrategy'), errors);
  for (const when of ['whenDeleted', 'whenScaled']) {
    const value = spec.persistentVolumeClaimRetentionPolicy?.[when];
    const retention = at.child('persistentVolumeClaimRetentionPolicy', when);
    if (value) checkEnum(value, ['Retain', 'Delete'], retention, errors);
  }
  checkCounts(spec, ['replicas', 'minReadySeconds'], at, errors);
  checkNonNegative(spec.ordinals?.start, at.child('ordinals', 'start'), errors);
  // Upstream leaves the spec of the template to the pods made of it: its volumes are partly those of the claims.
  const names = { selector: 'statefulset', kind: 'StatefulSet', checkTemplate: checkTemplateMetadata };
  checkSelectorAndTemplate(spec, names, at, errors);
}

function checkUpdateStrategy({ type, rollingUpdate, ...rest }: Part, path: FieldPath, errors: Errors): void {
  if (!type) errors.push(required(path));
  else if (type === 'OnDelete') {
    if (rollingUpdate) {
      const detail = "only allowed for updateStrategy 'RollingUpdate'";
      errors.push(invalid(path.child('rollingUpdate'), rollingUpdate, detail));
    }
  } else if (type === 'RollingUpdate') {
    checkNonNegative(rollingUpdate?.partition, path.child('rollingUpdate', 'partition'), errors);
  } else {
    errors.push(invalid(path, { type, rollingUpdate, ...rest }, "must be 'RollingUpdate' or 'OnDelete'"));
  }
}

const changeable = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
];

/** (ValidateStatefulSetUpdate) */
export function updateStatefulSet(statefulSet: Part, old: Part, path: FieldPath, errors: Errors): void {
  const kept = ({ spec = {} }: Part): Part =>
    Object.fromEntries(Object.entries(spec).filter(([name]) => !changeable.includes(name)));
  if (sameValue(kept(statefulSet), kept(old))) return;
  const names = changeable.map((name) => `'${name}'`);
  const list = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  const detail = `updates to statefulset spec for fields other than ${list} are forbidden`;
  errors.push(forbidden(path.child('spec'), detail));
}

export function validateControllerRevision(revision: Part, path: FieldPath, errors: Errors): void {
  if (revision.data === undefined) errors.push(required(path.child('data'), 'data is mandatory'));
  checkNonNegative(revision.revision, path.child('revision'), errors);
}

export function updateControllerRevision(revision: Part, old: Part, path: FieldPath, errors: Errors): void {
  checkImmutable(revision.data, old.data, path.child('data'), errors);
}

/** (pkg/apis/policy/validation) */
export function validateDisruptionBudget(budget: Part, path: FieldPath, errors: Errors): void {
  const spec = budget.spec ?? {};
  const at = path.child('spec');
  if (spec.minAvailable !== undefined && spec.maxUnavailable !== undefined) {
    errors.push(invalid(at, spec, 'minAvailable and maxUnavailable cannot be both set'));
  }
  for (const name of ['minAvailable', 'maxUnavailable']) {
    checkCountOrPercent(spec[name], at.child(name), errors);
    checkAtMostAll(spec[name], at.child(name), errors);
  }
  checkLabelSelector(spec.selector, at.child('selector'), errors);
}
