import type { DeviceTaint, DeviceTaintRule, DeviceTaintSelector } from '../../../generated/v1.35/resource.k8s.io/v1alpha3/types.ts';
import { ageOf } from '../../machinery/age.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import { Field } from '../../machinery/validation/field.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import { dnsLabel, labelValue, labelKey as qualifiedName } from '../../machinery/validation/name-formats.ts';
import type { RESTStrategy } from '../../resources/rest.ts';
import { validateConditions } from '../validation/conditions.ts';
import { validateFormat, validateRequiredEnum } from '../validation/fields.ts';
import { validateDriverName, validatePoolName } from './names.ts';

/** (pkg/apis/resource/validation, pkg/registry/resource/devicetaintrule/strategy.go) */

type Rule = Unvalidated<DeviceTaintRule>;

/** Sets the time of the taint, in whole seconds. (SetDefaults_DeviceTaint) */
export function setDeviceTaintDefaults(taint: Unvalidated<DeviceTaint>): void {
  if (taint.timeAdded === undefined) taint.timeAdded = new Date().toISOString().replace(/\.\d+Z$/, 'Z');
}

export const deviceTaintAdded = ({ spec }: Rule, now: number): string => (spec?.taint?.timeAdded ? ageOf(spec.taint.timeAdded, now) : '');

export const deviceTaintRuleStrategy: RESTStrategy = {
  returnDeletedObject: true,
  validateCreate: (rule: Rule, errors) => validateDeviceTaintRule(rule, undefined, Field.at(FieldPath.root, errors)),
  validateUpdate(rule: Rule, old: Rule, errors, { part }) {
    const field = Field.at(FieldPath.root, errors);
    if (part === 'status') validateStatus(rule, field.child('status', 'conditions'));
    else validateDeviceTaintRule(rule, old, field);
  },
};

function validateDeviceTaintRule({ spec = {} }: Rule, old: Rule | undefined, field: Field): void {
  const at = field.child('spec');
  if (spec.deviceSelector) validateDeviceTaintSelector(spec.deviceSelector, at.child('deviceSelector'));
  validateDeviceTaint(spec.taint ?? {}, old && (old.spec?.taint ?? {}), at.child('taint'));
}

function validateDeviceTaintSelector({ driver, pool, device }: Unvalidated<DeviceTaintSelector>, field: Field): void {
  if (driver !== undefined) validateDriverName(driver, field.child('driver'));
  if (pool !== undefined) validatePoolName(pool, field.child('pool'));
  if (device !== undefined) validateFormat(device, dnsLabel, field.child('device'));
}

/** Since v1.35, there is the effect None. */
export const taintEffects = (field: Field): readonly string[] => [
  'NoExecute',
  'NoSchedule',
  ...(field.follows('DeviceTaintMayHaveNoEffect') ? ['None'] : []),
];

/** Since v1.35, an unchanged effect is not checked. */
function validateDeviceTaint(
  { key = '', value, effect = '' }: Unvalidated<DeviceTaint>,
  old: Unvalidated<DeviceTaint> | undefined,
  field: Field,
): void {
  validateFormat(key, qualifiedName, field.child('key'));
  if (value) validateFormat(value, labelValue, field.child('value'));
  const mayBeNone = field.follows('DeviceTaintMayHaveNoEffect');
  if (mayBeNone && old && (old.effect ?? '') === effect) return;
  validateRequiredEnum(effect, taintEffects(field), field.child('effect'));
}

const maxConditions = 8;

/** (ValidateDeviceTaintRuleStatusUpdate) */
function validateStatus({ status }: Rule, field: Field): void {
  const conditions = status?.conditions ?? [];
  validateConditions(conditions, field);
  if (conditions.length > maxConditions) field.tooMany(conditions.length, maxConditions);
}
