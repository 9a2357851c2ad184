import type * as v1 from '../../../generated/v1.35/admissionregistration.k8s.io/v1/types.ts';
import { validateWebhookService, validateWebhookURL } from '../../client/webhook/validation.ts';
import { shareEventLoopBudget } from '../../machinery/event-loop/budget.ts';
import { equalPruned } from '../../machinery/json/equality.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import { Field } from '../../machinery/validation/field.ts';
import type { FieldError } from '../../machinery/validation/field-error.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import { dns1035Label, dnsSubdomain } from '../../machinery/validation/name-formats.ts';
import type { RESTStrategy } from '../../resources/rest.ts';
import { validateEnum } from '../validation/fields.ts';
import { validateLabelSelector } from '../validation/labels.ts';
import { validateMatchConditions } from './expressions.ts';
import { validateRuleWithOperations } from './rules.ts';

/** Validating and mutating webhook configurations. (pkg/apis/admissionregistration/validation) */

type WebhookConfiguration = Unvalidated<v1.ValidatingWebhookConfiguration | v1.MutatingWebhookConfiguration>;
type Webhook = Unvalidated<v1.ValidatingWebhook | v1.MutatingWebhook>;
type WebhookClientConfig = Unvalidated<v1.WebhookClientConfig>;

/** (pkg/registry/admissionregistration) */
export const webhookConfigurationStrategy: RESTStrategy = {
  validateCreate: (configuration: WebhookConfiguration, errors) => validate(configuration, undefined, errors),
  validateUpdate: (configuration: WebhookConfiguration, old: WebhookConfiguration, errors) => validate(configuration, old, errors),
};

function validate({ webhooks }: WebhookConfiguration, old: WebhookConfiguration | undefined, errors: FieldError[]): void {
  const field = Field.at(FieldPath.of('webhooks'), errors);
  shareEventLoopBudget(() => validateWebhooks(webhooks ?? [], old && (old.webhooks ?? []), field));
}

/** Errors that older servers accepted and that may stay. (validationOptions) */
interface ValidationOptions {
  readonly ignoreMatchConditions: boolean;
  readonly requireNoSideEffects: boolean;
  readonly requireRecognizedAdmissionReviewVersion: boolean;
  readonly allowInvalidLabelValueInSelector: boolean;
}

const strict: ValidationOptions = {
  ignoreMatchConditions: false,
  requireNoSideEffects: true,
  requireRecognizedAdmissionReviewVersion: true,
  allowInvalidLabelValueInSelector: false,
};

const optionsOf = (webhooks: readonly Webhook[], old: readonly Webhook[]): ValidationOptions => ({
  ignoreMatchConditions:
    webhooks.length === old.length &&
    webhooks.every(({ matchConditions }, index) => equalPruned(matchConditions, old[index]?.matchConditions)),
  requireNoSideEffects: old.every(({ sideEffects }) => noSideEffects.includes(sideEffects ?? '')),
  requireRecognizedAdmissionReviewVersion: old.every(
    ({ admissionReviewVersions: versions }) => !versions?.length || versions.some((one) => reviewVersions.includes(one)),
  ),
  allowInvalidLabelValueInSelector: old.some(
    ({ namespaceSelector, objectSelector }) => !isSelector(namespaceSelector) || !isSelector(objectSelector),
  ),
});

function isSelector(selector: Webhook['namespaceSelector']): boolean {
  const errors: FieldError[] = [];
  validateLabelSelector(selector, Field.at(FieldPath.root, errors));
  return errors.length === 0;
}

function validateWebhooks(webhooks: readonly Webhook[], old: readonly Webhook[] | undefined, field: Field): void {
  const options = old === undefined ? strict : optionsOf(webhooks, old);
  const requireUniqueNames = old === undefined || new Set(old.map(({ name = '' }) => name)).size === old.length;
  const names = new Set<string>();
  for (const [index, webhook] of webhooks.entries()) {
    const at = field.index(index);
    const { name = '', admissionReviewVersions } = webhook;
    validateWebhook(webhook, options, at);
    const versions = at.child('admissionReviewVersions');
    validateAdmissionReviewVersions(admissionReviewVersions ?? [], options, versions);
    if (!requireUniqueNames || name === '') continue;
    if (names.has(name)) at.child('name').duplicate(name);
    names.add(name);
  }
}

const noSideEffects = ['None', 'NoneOnDryRun'];
const allSideEffects = [...noSideEffects, 'Some', 'Unknown'];

/** (validateValidatingWebhook, validateMutatingWebhook) */
function validateWebhook(webhook: Webhook, options: ValidationOptions, field: Field): void {
  const { failurePolicy, matchPolicy, sideEffects, timeoutSeconds } = webhook;
  validateQualifiedName(webhook.name ?? '', field.child('name'));
  for (const [index, rule] of (webhook.rules ?? []).entries()) {
    validateRuleWithOperations(rule, field.child('rules').index(index));
  }
  if (failurePolicy !== undefined) validateEnum(failurePolicy, ['Fail', 'Ignore'], field.child('failurePolicy'));
  if (matchPolicy !== undefined) validateEnum(matchPolicy, ['Equivalent', 'Exact'], field.child('matchPolicy'));
  const allowed = options.requireNoSideEffects ? noSideEffects : allSideEffects;
  if (sideEffects == null) field.child('sideEffects').required(`must specify one of ${allowed.join(', ')}`);
  else validateEnum(sideEffects, allowed, field.child('sideEffects'));
  if (timeoutSeconds !== undefined && (timeoutSeconds < 1 || timeoutSeconds > 30)) {
    field.child('timeoutSeconds').invalid(timeoutSeconds, 'the timeout value must be between 1 and 30 seconds');
  }
  validateLabelSelector(webhook.namespaceSelector, field.child('namespaceSelector'), options);
  validateLabelSelector(webhook.objectSelector, field.child('objectSelector'), options);
  if ('reinvocationPolicy' in webhook && webhook.reinvocationPolicy !== undefined) {
    validateEnum(webhook.reinvocationPolicy, ['IfNeeded', 'Never'], field.child('reinvocationPolicy'));
  }
  validateClientConfig(webhook.clientConfig ?? {}, field.child('clientConfig'));
  if (options.ignoreMatchConditions) return;
  validateMatchConditions(webhook.matchConditions ?? [], false, field.child('matchConditions'));
}

/** The versions of AdmissionReview. */
const reviewVersions = ['v1', 'v1beta1'];

function validateAdmissionReviewVersions(
  versions: readonly string[],
  { requireRecognizedAdmissionReviewVersion }: ValidationOptions,
  field: Field,
): void {
  const known = reviewVersions.join(', ');
  if (versions.length === 0) {
    field.required(`must specify one of ${known}`);
    return;
  }
  const seen = new Set<string>();
  for (const [index, version] of versions.entries()) {
    const at = field.index(index);
    if (seen.has(version)) at.invalid(version, 'duplicate version');
    else for (const problem of dns1035Label(version)) at.invalid(version, problem);
    seen.add(version);
  }
  if (requireRecognizedAdmissionReviewVersion && !reviewVersions.some((version) => seen.has(version))) {
    field.invalid(versions, `must include at least one of ${known}`);
  }
}

/** (apimachinery pkg/util/validation, IsFullyQualifiedName) */
function validateQualifiedName(name: string, field: Field): void {
  if (name === '') {
    field.required();
    return;
  }
  const messages = dnsSubdomain(name);
  if (messages.length > 0) field.invalid(name, messages.join(','));
  else if (name.split('.').length < 3) {
    field.invalid(name, 'should be a domain with at least three segments separated by dots');
  }
}

function validateClientConfig({ url, service }: WebhookClientConfig, field: Field): void {
  if ((url === undefined) === (service === undefined)) {
    field.required('exactly one of url or service is required');
  } else if (url !== undefined) validateWebhookURL(url, field.child('url'));
  else if (service !== undefined) validateWebhookService(service, field.child('service'));
}

export const webhookCount = ({ webhooks }: WebhookConfiguration): number => webhooks?.length ?? 0;
