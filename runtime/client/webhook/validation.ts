import { X509Certificate } from 'node:crypto';
import type { ServiceReference } from '../../../generated/v1.35/admissionregistration.k8s.io/v1/types.ts';
import { PemReader } from '../../machinery/go/pem.ts';
import { quote } from '../../machinery/go/quote.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { dnsSubdomain } from '../../machinery/validation/name-formats.ts';
import { port as portErrors } from '../../structural/formats.ts';
import { parseGoUrl } from '../../structural/formats-uri.ts';

/** Validation of the addresses in webhook configurations. (apiserver pkg/util/webhook/validation.go) */

/**
 * Returns the problem of a base64 bundle of certificates; undefined for a valid one. (client-go transport rootCertPool)
 */
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

export function validateWebhookURL(text: string, field: Field): void {
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

/** Swaps name and namespace, like all of upstream's callers: an error of one names the other. */
export function validateWebhookService(service: Unvalidated<ServiceReference>, field: Field): void {
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
