import type { CustomResourceConversion, WebhookClientConfig } from '../../../../generated/v1.35/apiextensions.k8s.io/v1/types.ts';
import { caBundleProblem, validateWebhookService, validateWebhookURL } from '../../../client/webhook/validation.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import type { Field } from '../../../machinery/validation/field.ts';
import { dns1035Label } from '../../../machinery/validation/name-formats.ts';
import type { ValidationOptions } from './options.ts';

const recognizedReviewVersions: readonly string[] = ['v1', 'v1beta1'];

export const hasRecognizedReviewVersion = (versions: readonly string[]): boolean =>
  versions.some((version) => recognizedReviewVersions.includes(version));

type ClientConfig = Unvalidated<WebhookClientConfig>;

export function validateCustomResourceConversion(
  conversion: Unvalidated<CustomResourceConversion> | undefined,
  options: ValidationOptions,
  field: Field,
): void {
  if (!conversion) return;
  const { strategy = '', webhook } = conversion;
  if (strategy === '') field.child('strategy').required();
  else if (strategy !== 'None' && strategy !== 'Webhook') {
    field.child('strategy').notSupported(strategy, ['None', 'Webhook']);
  }
  const configField = field.child('webhookClientConfig');
  const versionsField = field.child('conversionReviewVersions');
  const versions = webhook?.conversionReviewVersions ?? [];
  if (strategy === 'Webhook') {
    if (webhook?.clientConfig) validateClientConfig(webhook.clientConfig, options, configField);
    else configField.required('required when strategy is set to Webhook');
    validateReviewVersions(versions, options, versionsField);
    return;
  }
  const text = 'should not be set when strategy is not set to Webhook';
  if (webhook?.clientConfig) configField.forbidden(text);
  if (versions.length > 0) versionsField.forbidden(text);
}

function validateReviewVersions(versions: readonly string[], options: ValidationOptions, field: Field): void {
  if (versions.length === 0) {
    field.required();
    return;
  }
  const seen = new Set<string>();
  for (const [index, version] of versions.entries()) {
    if (seen.has(version)) field.index(index).invalid(version, 'duplicate version');
    else for (const text of dns1035Label(version)) field.index(index).invalid(version, text);
    seen.add(version);
  }
  if (options.requireRecognizedConversionReviewVersion && !hasRecognizedReviewVersion(versions)) {
    field.invalid(versions, `must include at least one of ${recognizedReviewVersions.join(', ')}`);
  }
}

function validateClientConfig(config: ClientConfig, options: ValidationOptions, field: Field): void {
  const { url, service, caBundle } = config;
  if ((url === undefined) === (service === undefined)) {
    field.required('exactly one of url or service is required');
  } else if (url !== undefined) validateWebhookURL(url, field.child('url'));
  else if (service) validateWebhookService(service, field.child('service'));
  if (!caBundle || options.allowInvalidCABundle) return;
  const problem = caBundleProblem(caBundle);
  if (problem !== undefined) field.child('caBundle').invalid(caBundle, problem);
}
