import { X509Certificate } from 'node:crypto';
import type {
  CustomResourceConversion,
  WebhookClientConfig,
} from '../../../../generated/v1.35/apiextensions.k8s.io/v1/types.ts';
import { PemReader } from '../../../machinery/go/pem.ts';
import { quote } from '../../../machinery/go/quote.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import type { Field } from '../../../machinery/validation/field.ts';
import { dns1035Label, dnsSubdomain } from '../../../machinery/validation/name-formats.ts';
import { port as portErrors } from '../../../structural/formats.ts';
import { parseGoUrl } from '../../../structural/formats-uri.ts';
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

/** What is wrong with a base64 bundle of certificates, undefined for nothing. (client-go transport rootCertPool) */
export function caBundleProblem(bundle: string): string | undefined {
  if (bundle === '') return undefined;
  const reader = new PemReader(Buffer.from(bundle, 'base64').toString('latin1'));
  let isMalformed = false;
  for (let block = reader.next(); block !== undefined; block = reader.next()) {
    if (block.type !== 'CERTIFICATE' || block.hasHeaders) continue;
    if (isCertificate(block.bytes)) return undefined;
    isMalformed = true;
  }
  const problem = isMalformed
    ? 'failed to parse certificate: x509: malformed certificate'
    : reader.isAtEnd
      ? 'no valid certificate authority data seen'
      : 'unable to parse bytes as PEM block';
  return `unable to load root certificates: ${problem}`;
}

function isCertificate(der: Buffer): boolean {
  try {
    new X509Certificate(der);
    return true;
  } catch {
    return false;
  }
}

/** (apiserver pkg/util/webhook) */
function validateWebhookURL(text: string, field: Field): void {
  const form = '; desired format: https://host[/path]';
  const url = parseGoUrl(text);
  if (typeof url === 'string') {
    field.required(`url must be a valid URL: parse ${quote(text)}: ${url}${form}`);
    return;
  }
  if (url.scheme !== 'https') field.invalid(url.scheme, `'https' is the only allowed URL scheme${form}`);
  if (url.host === '') field.invalid('', `host must be specified${form}`);
  if (url.user !== undefined) field.invalid(url.user, 'user information is not permitted in the URL');
  if (url.fragment !== '') field.invalid(url.fragment, 'fragments are not permitted in the URL');
  if (url.query !== '') field.invalid(url.query, 'query parameters are not permitted in the URL');
}

/** (ValidateWebhookService, which upstream calls with name and namespace swapped) */
function validateWebhookService(service: NonNullable<ClientConfig['service']>, field: Field): void {
  const { port = 443 } = service;
  if (!service.namespace) field.child('name').required();
  if (!service.name) field.child('namespace').required();
  const portTexts = portErrors(port);
  if (portTexts.length > 0) {
    field.child('port').invalid(port, `port is not valid: ${portTexts.join(', ')}`);
  }
  validateServicePath(service.path ?? '', field.child('path'));
}

function validateServicePath(text: string, field: Field): void {
  if (text === '' || text === '/') return;
  if (text === '//') {
    field.invalid(text, 'segment[0] may not be empty');
    return;
  }
  if (!text.startsWith('/')) field.invalid(text, "must start with a '/'");
  const segments = text.slice(1).replace(/\/$/, '').split('/');
  for (const [index, segment] of segments.entries()) {
    if (segment === '') field.invalid(text, `segment[${index}] may not be empty`);
    else for (const why of dnsSubdomain(segment)) field.invalid(text, `segment[${index}]: ${why}`);
  }
}
