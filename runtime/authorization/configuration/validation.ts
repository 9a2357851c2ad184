import { statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { formatDuration } from '../../machinery/go/duration.ts';
import { Field } from '../../machinery/validation/field.ts';
import type { FieldError } from '../../machinery/validation/field-error.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import { dnsSubdomain } from '../../machinery/validation/name-formats.ts';
import { authorizationModes } from '../modes.ts';
import { compileMatchCondition } from '../webhook/match-conditions.ts';
import type {
  AuthorizationConfiguration,
  WebhookConfiguration,
  WebhookConnectionInfo,
  WebhookMatchCondition,
} from './authorization-configuration.ts';

/** The types in the order of messages. */
const authorizerTypes: readonly string[] = [...authorizationModes].sort();

const maxTimeout = 30_000_000_000n;
const maxMatchConditions = 64;

/** Returns errors in the order of the fields. (apiserver pkg/apis/apiserver/validation ValidateAuthorizationConfiguration) */
export function validateAuthorizationConfiguration({ authorizers = [] }: AuthorizationConfiguration): readonly FieldError[] {
  const list = Field.at(FieldPath.of('authorizers'), []);
  if (authorizers.length === 0) list.required('at least one authorization mode must be defined');
  const types = new Set<string>();
  const names = new Set<string>();
  for (const [index, { type = '', name = '', webhook }] of authorizers.entries()) {
    const field = list.index(index);
    if (!validateType(type, field.child('type'), types)) continue;
    validateName(name, field.child('name'), names);
    if (type === 'Webhook') {
      if (webhook === undefined) field.child('webhook').required('required when type=Webhook');
      else validateWebhook(webhook, field);
    } else if (webhook !== undefined) {
      field.child('webhook').invalid('non-null', 'may only be specified when type=Webhook');
    }
  }
  return list.errors;
}

/** Only webhooks may be repeated. */
function validateType(type: string, field: Field, seen: Set<string>): boolean {
  if (type === '') field.required('');
  else if (!authorizerTypes.includes(type)) field.notSupported(type, authorizerTypes);
  else if (seen.has(type) && type !== 'Webhook') field.duplicate(type);
  else {
    seen.add(type);
    return true;
  }
  return false;
}

function validateName(name: string, field: Field, seen: Set<string>): void {
  const problems = dnsSubdomain(name);
  if (name === '') field.required('');
  else if (seen.has(name)) field.duplicate(name);
  else if (problems.length > 0) field.invalid(name, `authorizer name is invalid: ${problems.join(', ')}`);
  seen.add(name);
}

function validateWebhook(webhook: WebhookConfiguration, field: Field): void {
  validateDuration(webhook.timeout, field.child('timeout'), maxTimeout);
  validateDuration(webhook.authorizedTTL, field.child('authorizedTTL'));
  validateDuration(webhook.unauthorizedTTL, field.child('unauthorizedTTL'));
  validateOneOf(webhook.subjectAccessReviewVersion, field.child('subjectAccessReviewVersion'), ['v1', 'v1beta1']);
  const { matchConditions = [], matchConditionSubjectAccessReviewVersion: version = '' } = webhook;
  const versionField = field.child('matchConditionSubjectAccessReviewVersion');
  if (version !== '') validateOneOf(version, versionField, ['v1']);
  else if (matchConditions.length > 0) versionField.required('required if match conditions are specified');
  validateOneOf(webhook.failurePolicy, field.child('failurePolicy'), ['NoOpinion', 'Deny']);
  validateConnectionInfo(webhook.connectionInfo ?? {}, field.child('connectionInfo'));
  validateMatchConditions(matchConditions, field.child('matchConditions'));
}

/** @param max in nanoseconds */
function validateDuration(value = 0n, field: Field, max?: bigint): void {
  if (value === 0n) field.required('');
  else if (value < 0n || (max !== undefined && value > max)) {
    field.invalid(formatDuration(value), max === undefined ? 'must be > 0s' : `must be > 0s and <= ${formatDuration(max)}`);
  }
}

function validateOneOf(value = '', field: Field, supported: readonly string[]): void {
  if (value === '') field.required('');
  else if (!supported.includes(value)) field.notSupported(value, supported);
}

function validateConnectionInfo({ type = '', kubeConfigFile }: WebhookConnectionInfo, field: Field): void {
  const file = field.child('kubeConfigFile');
  switch (type) {
    case '':
      field.child('type').required('');
      break;
    case 'InClusterConfig':
      if (kubeConfigFile !== undefined) file.invalid(kubeConfigFile, 'can only be set when type=KubeConfigFile');
      break;
    case 'KubeConfigFile':
      if (!kubeConfigFile) file.required('');
      else if (!isAbsolute(kubeConfigFile)) file.invalid(kubeConfigFile, 'must be an absolute path');
      else validateRegularFile(kubeConfigFile, file);
      break;
    default:
      field.child('type').notSupported(type, ['InClusterConfig', 'KubeConfigFile']);
  }
}

function validateRegularFile(path: string, field: Field): void {
  try {
    if (!statSync(path).isFile()) field.invalid(path, 'must be a regular file');
  } catch {
    field.invalid(path, `error loading file: stat ${path}: no such file or directory`);
  }
}

function validateMatchConditions(conditions: readonly WebhookMatchCondition[], field: Field): void {
  if (conditions.length > maxMatchConditions) {
    field.tooMany(conditions.length, maxMatchConditions);
    return;
  }
  const seen = new Set<string>();
  for (const [index, { expression = '' }] of conditions.entries()) {
    const place = field.index(index).child('expression');
    if (expression.trim() === '') place.required('');
    else if (seen.has(expression)) place.duplicate(expression);
    else {
      const { problem } = compileMatchCondition(expression);
      if (problem !== undefined) place.invalid(expression, problem);
    }
    seen.add(expression);
  }
}
