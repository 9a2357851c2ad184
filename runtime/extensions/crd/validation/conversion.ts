import { X509Certificate } from 'node:crypto';
import { quote } from '../../../machinery/go/quote.ts';
import {
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
} from '../../../machinery/validation/field-error.ts';
import type { FieldPath } from '../../../machinery/validation/field-path.ts';
import { dns1035Label, dnsSubdomain } from '../../../machinery/validation/name-formats.ts';
import { port as portErrors } from '../../../structural/formats.ts';
import { parseGoUrl } from '../../../structural/formats-uri.ts';
import type { Conversion } from './internal-spec.ts';
import type { ValidationOptions } from './options.ts';

const recognized: readonly string[] = ['v1', 'v1beta1'];

export const hasRecognizedReviewVersion = (versions: readonly string[]): boolean =>
  versions.some((version) => recognized.includes(version));

type ClientConfig = NonNullable<NonNullable<Conversion['webhook']>['clientConfig']>;

/** (validateCustomResourceConversion) */
export function validateCustomResourceConversion(
  conversion: Conversion | undefined,
  options: ValidationOptions,
  path: FieldPath,
  errors: FieldError[],
): void {
  if (!conversion) return;
  const { strategy = '', webhook } = conversion;
  if (strategy === '') errors.push(required(path.child('strategy')));
  else if (strategy !== 'None' && strategy !== 'Webhook') {
    errors.push(notSupported(path.child('strategy'), strategy, ['None', 'Webhook']));
  }
  const configPath = path.child('webhookClientConfig');
  const versionsPath = path.child('conversionReviewVersions');
  const versions = webhook?.conversionReviewVersions ?? [];
  if (strategy === 'Webhook') {
    if (webhook?.clientConfig) checkClientConfig(webhook.clientConfig, options, configPath, errors);
    else errors.push(required(configPath, 'required when strategy is set to Webhook'));
    checkReviewVersions(versions, options, versionsPath, errors);
    return;
  }
  const text = 'should not be set when strategy is not set to Webhook';
  if (webhook?.clientConfig) errors.push(forbidden(configPath, text));
  if (versions.length > 0) errors.push(forbidden(versionsPath, text));
}

function checkReviewVersions(
  versions: readonly string[],
  options: ValidationOptions,
  path: FieldPath,
  errors: FieldError[],
): void {
  if (versions.length === 0) {
    errors.push(required(path));
    return;
  }
  const seen = new Set<string>();
  for (const [index, version] of versions.entries()) {
    if (seen.has(version)) errors.push(invalid(path.index(index), version, 'duplicate version'));
    else for (const text of dns1035Label(version)) errors.push(invalid(path.index(index), version, text));
    seen.add(version);
  }
  if (options.requireRecognizedConversionReviewVersion && !hasRecognizedReviewVersion(versions)) {
    errors.push(invalid(path, versions, `must include at least one of ${recognized.join(', ')}`));
  }
}

function checkClientConfig(
  config: ClientConfig,
  options: ValidationOptions,
  path: FieldPath,
  errors: FieldError[],
): void {
  const { url, service, caBundle } = config;
  if ((url === undefined) === (service === undefined)) {
    errors.push(required(path, 'exactly one of url or service is required'));
  } else if (url !== undefined) checkUrl(url, path.child('url'), errors);
  else if (service) checkService(service, path.child('service'), errors);
  if (!caBundle || options.allowInvalidCABundle) return;
  const problem = caBundleProblem(caBundle);
  if (problem !== undefined) errors.push(invalid(path.child('caBundle'), caBundle, problem));
}

/** Why a base64 bundle of certificates is none; undefined for a good one. (client-go transport TLSConfigFor) */
export function caBundleProblem(bundle: string): string | undefined {
  const text = Buffer.from(bundle, 'base64').toString('latin1');
  const blocks = text.match(/-----BEGIN [A-Z0-9 ]+-----[\s\S]*?-----END [A-Z0-9 ]+-----/g);
  if (!blocks) return 'unable to load root certificates: unable to parse bytes as PEM block';
  let first: string | undefined;
  for (const block of blocks) {
    if (!block.startsWith('-----BEGIN CERTIFICATE-----')) continue;
    try {
      new X509Certificate(block);
      return undefined;
    } catch (error) {
      first ??= (error as Error).message;
    }
  }
  return first === undefined
    ? 'unable to load root certificates: no valid certificate authority data seen'
    : `unable to load root certificates: failed to parse certificate: ${first}`;
}

/** (apiserver pkg/util/webhook ValidateWebhookURL) */
function checkUrl(text: string, path: FieldPath, errors: FieldError[]): void {
  const form = '; desired format: https://host[/path]';
  const url = parseGoUrl(text);
  if (typeof url === 'string') {
    errors.push(required(path, `url must be a valid URL: parse ${quote(text)}: ${url}${form}`));
    return;
  }
  if (url.scheme !== 'https') errors.push(invalid(path, url.scheme, `'https' is the only allowed URL scheme${form}`));
  if (url.host === '') errors.push(invalid(path, '', `host must be specified${form}`));
  if (url.user !== undefined) errors.push(invalid(path, url.user, 'user information is not permitted in the URL'));
  if (url.fragment !== '') errors.push(invalid(path, url.fragment, 'fragments are not permitted in the URL'));
  if (url.query !== '') errors.push(invalid(path, url.query, 'query parameters are not permitted in the URL'));
}

/** (ValidateWebhookService, which upstream calls with name and namespace in each other's place) */
function checkService(service: NonNullable<ClientConfig['service']>, path: FieldPath, errors: FieldError[]): void {
  const { port = 443 } = service;
  if (!service.namespace) errors.push(required(path.child('name')));
  if (!service.name) errors.push(required(path.child('namespace')));
  const portTexts = portErrors(port);
  if (portTexts.length > 0) {
    errors.push(invalid(path.child('port'), port, `port is not valid: ${portTexts.join(', ')}`));
  }
  checkServicePath(service.path ?? '', path.child('path'), errors);
}

function checkServicePath(text: string, path: FieldPath, errors: FieldError[]): void {
  if (text === '' || text === '/') return;
  if (text === '//') {
    errors.push(invalid(path, text, 'segment[0] may not be empty'));
    return;
  }
  if (!text.startsWith('/')) errors.push(invalid(path, text, "must start with a '/'"));
  const segments = text.slice(1).replace(/\/$/, '').split('/');
  for (const [index, segment] of segments.entries()) {
    if (segment === '') errors.push(invalid(path, text, `segment[${index}] may not be empty`));
    else for (const why of dnsSubdomain(segment)) errors.push(invalid(path, text, `segment[${index}]: ${why}`));
  }
}
