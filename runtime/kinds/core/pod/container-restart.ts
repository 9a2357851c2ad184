import type * as core from '../../../../generated/v1.35/core/v1/types.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import type { Field } from '../../../machinery/validation/field.ts';
import { validateEnum, validateRequiredEnum } from '../../validation/fields.ts';

/** Restarts of containers: after they end, and when they are resized. (pkg/apis/core/validation) */

type Container = Unvalidated<core.Container>;
type Rule = Unvalidated<core.ContainerRestartRule>;

const restartPolicies = ['Always', 'Never', 'OnFailure'];
/** The gate of RestartAllContainers is off. */
const actions = ['Restart'];
const operators = ['In', 'NotIn'];
const maxRules = 20;
const maxExitCodes = 255;

/** (validateInitContainerRestartPolicy) */
export function validateInitContainerRestartPolicy(container: Container, field: Field): void {
  if (container.restartPolicy === undefined) {
    if (container.restartPolicyRules?.length && field.follows('InitRestartRulesNeedPolicy')) {
      field.child('restartPolicy').required('must specify restartPolicy when restart rules are used');
    }
    return;
  }
  if (container.restartPolicy !== 'Always') validateContainerRestartPolicy(container, field);
  else if (container.restartPolicyRules?.length) {
    const detail = 'restartPolicyRules are not allowed for init containers with restart policy Always';
    field.child('restartPolicyRules').forbidden(detail);
  }
}

/** (validateContainerRestartPolicy) */
export function validateContainerRestartPolicy({ restartPolicy, restartPolicyRules }: Container, field: Field): void {
  if (restartPolicy !== undefined) validateEnum(restartPolicy, restartPolicies, field.child('restartPolicy'));
  if (!restartPolicyRules?.length) return;
  if (restartPolicy === undefined) {
    field.child('restartPolicy').required('must specify restartPolicy when restart rules are used');
  }
  const rules = field.child('restartPolicyRules');
  if (restartPolicyRules.length > maxRules) rules.tooLong(restartPolicyRules, maxRules);
  for (const [index, rule] of restartPolicyRules.entries()) validateRule(rule, rules.index(index));
}

function validateRule({ action = '', exitCodes }: Rule, field: Field): void {
  validateEnum(action, actions, field.child('action'));
  const at = field.child('exitCodes');
  if (!exitCodes) {
    at.required('must be specified');
    return;
  }
  const { operator = '', values } = exitCodes;
  validateEnum(operator, operators, at.child('operator'));
  if (values && values.length > maxExitCodes) at.child('values').tooLong(values, maxExitCodes);
}

const resizedResources = ['cpu', 'memory'];
const resizePolicies = ['NotRequired', 'RestartContainer'];

/** All errors except duplicates have the path of the list. (validateResizePolicy) */
export function validateResizePolicy(policies: Container['resizePolicy'], podRestartPolicy: string | undefined, field: Field): void {
  if (!policies?.length) return;
  const seen = new Set<string>();
  for (const [index, { resourceName = '', restartPolicy = '' }] of policies.entries()) {
    if (seen.has(resourceName)) field.index(index).duplicate(resourceName);
    seen.add(resourceName);
    validateRequiredEnum(resourceName, resizedResources, field);
    validateRequiredEnum(restartPolicy, resizePolicies, field);
    if (podRestartPolicy === 'Never' && restartPolicy !== 'NotRequired') {
      field.invalid(restartPolicy, "must be 'NotRequired' when `restartPolicy` is 'Never'");
    }
  }
}
