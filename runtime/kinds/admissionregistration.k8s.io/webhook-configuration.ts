import type * as v1 from '../../../generated/v1.35/admissionregistration.k8s.io/v1/types.ts';
import { shareEventLoopBudget } from '../../machinery/event-loop/budget.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { dns1035Label, dnsSubdomain } from '../../machinery/validation/name-formats.ts';
import { validateWebhookService, validateWebhookURL } from '../../webhook/validation.ts';
import { validateEnum } from '../validation/fields.ts';
import { validateLabelSelector } from '../validation/labels.ts';
import { validateMatchConditions } from './expressions.ts';
import { validateRuleWithOperations } from './rules.ts';

/** Validating and mutating webhook configurations. (pkg/apis/admissionregistration/validation) */

type WebhookConfiguration = Unvalidated<v1.ValidatingWebhookConfiguration | v1.MutatingWebhookConfiguration>;
type Webhook = Unvalidated<v1.ValidatingWebhook | v1.MutatingWebhook>;
type WebhookClientConfig = Unvalidated<v1.WebhookClientConfig>;

export function validateWebhookConfiguration(configuration: WebhookConfiguration, field: Field): void {
  shareEventLoopBudget(() => validateWebhooks(configuration, field));
}

function validateWebhooks({ webhooks }: WebhookConfiguration, field: Field): void {
  const names = new Set<string>();
  for (const [index, webhook] of (webhooks ?? []).entries()) {
    const at = field.child('webhooks').index(index);
    const { name = '' } = webhook;
    validateQualifiedName(name, at.child('name'));
    if (names.has(name)) at.child('name').duplicate(name);
    names.add(name);
    validateWebhook(webhook, at);
  }
}

function validateWebhook(webhook: Webhook, field: Field): void {
  const { sideEffects, timeoutSeconds } = webhook;
  for (const [index, rule] of (webhook.rules ?? []).entries()) {
    validateRuleWithOperations(rule, field.child('rules').index(index));
  }
  if (sideEffects == null) {
    field.child('sideEffects').required('must specify one of None, NoneOnDryRun');
  } else validateEnum(sideEffects, ['None', 'NoneOnDryRun'], field.child('sideEffects'));
  if (timeoutSeconds !== undefined && (timeoutSeconds < 1 || timeoutSeconds > 30)) {
    field.child('timeoutSeconds').invalid(timeoutSeconds, 'the timeout value must be between 1 and 30 seconds');
  }
  validateAdmissionReviewVersions(webhook.admissionReviewVersions ?? [], field.child('admissionReviewVersions'));
  validateLabelSelector(webhook.namespaceSelector, field.child('namespaceSelector'));
  validateLabelSelector(webhook.objectSelector, field.child('objectSelector'));
  validateClientConfig(webhook.clientConfig ?? {}, field.child('clientConfig'));
  validateMatchConditions(webhook.matchConditions ?? [], false, field.child('matchConditions'));
}

/** The versions of AdmissionReview. */
const reviewVersions = ['v1', 'v1beta1'];

function validateAdmissionReviewVersions(versions: readonly string[], field: Field): void {
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
  if (!reviewVersions.some((version) => seen.has(version))) {
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
