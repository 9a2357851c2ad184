import type { KubeObject, Part } from '../../machinery/object.ts';
import { duplicate, invalid, required } from '../../machinery/validation/field-error.ts';
import type { FieldPath } from '../../machinery/validation/field-path.ts';
import { dnsSubdomain } from '../../machinery/validation/name-formats.ts';
import { type Errors, validateEnum } from '../validation/fields.ts';
import { validateLabelSelector } from '../validation/labels.ts';

const reviewVersions = ['v1', 'v1beta1'];

/** (pkg/apis/admissionregistration/validation) Of both kinds of webhook configurations. */
export function validateWebhookConfiguration(configuration: Part, path: FieldPath, errors: Errors): void {
  const names = new Set<string>();
  for (const [index, webhook] of (configuration.webhooks ?? []).entries()) {
    const at = path.child('webhooks').index(index);
    const { name = '', sideEffects, timeoutSeconds } = webhook;
    validateFullyQualifiedName(name, at.child('name'), errors);
    if (names.has(name)) errors.push(duplicate(at.child('name'), name));
    names.add(name);
    for (const [place, rule] of (webhook.rules ?? []).entries()) {
      validateRule(rule, at.child('rules').index(place), errors);
    }
    if (sideEffects == null) {
      errors.push(required(at.child('sideEffects'), 'must specify one of None, NoneOnDryRun'));
    } else validateEnum(sideEffects, ['None', 'NoneOnDryRun'], at.child('sideEffects'), errors);
    if (timeoutSeconds !== undefined && (timeoutSeconds < 1 || timeoutSeconds > 30)) {
      const detail = 'the timeout value must be between 1 and 30 seconds';
      errors.push(invalid(at.child('timeoutSeconds'), timeoutSeconds, detail));
    }
    validateAdmissionReviewVersions(webhook.admissionReviewVersions ?? [], at.child('admissionReviewVersions'), errors);
    validateLabelSelector(webhook.namespaceSelector, at.child('namespaceSelector'), errors);
    validateLabelSelector(webhook.objectSelector, at.child('objectSelector'), errors);
    validateClientConfig(webhook.clientConfig ?? {}, at.child('clientConfig'), errors);
  }
}

function validateAdmissionReviewVersions(versions: readonly string[], path: FieldPath, errors: Errors): void {
  const known = reviewVersions.join(', ');
  if (versions.length === 0) errors.push(required(path, `must specify one of ${known}`));
  else if (!versions.some((version) => reviewVersions.includes(version))) {
    errors.push(invalid(path, versions, `must include at least one of ${known}`));
  }
}

function validateFullyQualifiedName(name: string, path: FieldPath, errors: Errors): void {
  if (name === '') {
    errors.push(required(path));
    return;
  }
  const wrong = dnsSubdomain(name);
  if (wrong.length > 0) errors.push(invalid(path, name, wrong.join(',')));
  else if (name.split('.').length < 3) {
    errors.push(invalid(path, name, 'should be a domain with at least three segments separated by dots'));
  }
}

function validateRule(rule: Part, path: FieldPath, errors: Errors): void {
  for (const name of ['apiGroups', 'apiVersions', 'resources', 'operations']) {
    const values: readonly string[] = rule[name] ?? [];
    const at = path.child(name);
    if (values.length === 0) errors.push(required(at));
    if (name === 'resources') continue;
    if (values.length > 1 && values.includes('*')) {
      const detail = "if '*' is present, must not specify other ";
      const what = { apiGroups: 'API groups', apiVersions: 'API versions', operations: 'operations' }[name];
      errors.push(invalid(at, values, `${detail}${what}`));
    }
    if (name !== 'apiVersions') continue;
    for (const [index, value] of values.entries()) if (value === '') errors.push(required(at.index(index)));
  }
}

function validateClientConfig({ url, service }: Part, path: FieldPath, errors: Errors): void {
  if ((url === undefined) === (service === undefined)) {
    errors.push(required(path, 'exactly one of url or service is required'));
  } else if (url !== undefined) validateWebhookURL(url, path.child('url'), errors);
  else {
    for (const name of ['name', 'namespace']) {
      if (!service[name]) errors.push(required(path.child('service', name), `service ${name} is required`));
    }
    if (service.port !== undefined && (service.port < 1 || service.port > 65535)) {
      const detail = 'port is not valid: must be between 1 and 65535, inclusive';
      errors.push(invalid(path.child('service', 'port'), service.port, detail));
    }
    if (service.path !== undefined && !service.path.startsWith('/')) {
      errors.push(invalid(path.child('service', 'path'), service.path, "must start with a '/'"));
    }
  }
}

function validateWebhookURL(text: string, path: FieldPath, errors: Errors): void {
  const form = '; desired format: https://host[/path]';
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    errors.push(required(path, `url must be a valid URL${form}`));
    return;
  }
  if (url.protocol !== 'https:') {
    errors.push(invalid(path, url.protocol.replace(/:$/, ''), `'https' is the only allowed URL scheme${form}`));
  }
  if (url.host === '') errors.push(invalid(path, url.host, `host must be specified${form}`));
  if (url.username || url.password) {
    errors.push(invalid(path, url.username, 'user information is not permitted in the URL'));
  }
  if (url.hash) errors.push(invalid(path, url.hash.slice(1), 'fragments are not permitted in the URL'));
  if (url.search) errors.push(invalid(path, url.search.slice(1), 'query parameters are not permitted in the URL'));
}

export const webhookCount = ({ webhooks }: KubeObject): number => webhooks?.length ?? 0;
