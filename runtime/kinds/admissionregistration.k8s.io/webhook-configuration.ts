import type { KubeObject, Part } from '../../machinery/object.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { dnsSubdomain } from '../../machinery/validation/name-formats.ts';
import { validateEnum } from '../validation/fields.ts';
import { validateLabelSelector } from '../validation/labels.ts';

const reviewVersions = ['v1', 'v1beta1'];

/** (pkg/apis/admissionregistration/validation) Of both kinds of webhook configurations. */
export function validateWebhookConfiguration(configuration: Part, field: Field): void {
  const names = new Set<string>();
  for (const [index, webhook] of (configuration.webhooks ?? []).entries()) {
    const at = field.child('webhooks').index(index);
    const { name = '', sideEffects, timeoutSeconds } = webhook;
    validateFullyQualifiedName(name, at.child('name'));
    if (names.has(name)) at.child('name').duplicate(name);
    names.add(name);
    for (const [place, rule] of (webhook.rules ?? []).entries()) {
      validateRule(rule, at.child('rules').index(place));
    }
    if (sideEffects == null) {
      at.child('sideEffects').required('must specify one of None, NoneOnDryRun');
    } else validateEnum(sideEffects, ['None', 'NoneOnDryRun'], at.child('sideEffects'));
    if (timeoutSeconds !== undefined && (timeoutSeconds < 1 || timeoutSeconds > 30)) {
      const detail = 'the timeout value must be between 1 and 30 seconds';
      at.child('timeoutSeconds').invalid(timeoutSeconds, detail);
    }
    validateAdmissionReviewVersions(webhook.admissionReviewVersions ?? [], at.child('admissionReviewVersions'));
    validateLabelSelector(webhook.namespaceSelector, at.child('namespaceSelector'));
    validateLabelSelector(webhook.objectSelector, at.child('objectSelector'));
    validateClientConfig(webhook.clientConfig ?? {}, at.child('clientConfig'));
  }
}

function validateAdmissionReviewVersions(versions: readonly string[], field: Field): void {
  const known = reviewVersions.join(', ');
  if (versions.length === 0) field.required(`must specify one of ${known}`);
  else if (!versions.some((version) => reviewVersions.includes(version))) {
    field.invalid(versions, `must include at least one of ${known}`);
  }
}

function validateFullyQualifiedName(name: string, field: Field): void {
  if (name === '') {
    field.required();
    return;
  }
  const wrong = dnsSubdomain(name);
  if (wrong.length > 0) field.invalid(name, wrong.join(','));
  else if (name.split('.').length < 3) {
    field.invalid(name, 'should be a domain with at least three segments separated by dots');
  }
}

function validateRule(rule: Part, field: Field): void {
  for (const name of ['apiGroups', 'apiVersions', 'resources', 'operations']) {
    const values: readonly string[] = rule[name] ?? [];
    const at = field.child(name);
    if (values.length === 0) at.required();
    if (name === 'resources') continue;
    if (values.length > 1 && values.includes('*')) {
      const detail = "if '*' is present, must not specify other ";
      const what = { apiGroups: 'API groups', apiVersions: 'API versions', operations: 'operations' }[name];
      at.invalid(values, `${detail}${what}`);
    }
    if (name !== 'apiVersions') continue;
    for (const [index, value] of values.entries()) if (value === '') at.index(index).required();
  }
}

function validateClientConfig({ url, service }: Part, field: Field): void {
  if ((url === undefined) === (service === undefined)) {
    field.required('exactly one of url or service is required');
  } else if (url !== undefined) validateWebhookURL(url, field.child('url'));
  else {
    for (const name of ['name', 'namespace']) {
      if (!service[name]) field.child('service', name).required(`service ${name} is required`);
    }
    if (service.port !== undefined && (service.port < 1 || service.port > 65535)) {
      const detail = 'port is not valid: must be between 1 and 65535, inclusive';
      field.child('service', 'port').invalid(service.port, detail);
    }
    if (service.path !== undefined && !service.path.startsWith('/')) {
      field.child('service', 'path').invalid(service.path, "must start with a '/'");
    }
  }
}

function validateWebhookURL(text: string, field: Field): void {
  const form = '; desired format: https://host[/path]';
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    field.required(`url must be a valid URL${form}`);
    return;
  }
  if (url.protocol !== 'https:') {
    field.invalid(url.protocol.replace(/:$/, ''), `'https' is the only allowed URL scheme${form}`);
  }
  if (url.host === '') field.invalid(url.host, `host must be specified${form}`);
  if (url.username || url.password) {
    field.invalid(url.username, 'user information is not permitted in the URL');
  }
  if (url.hash) field.invalid(url.hash.slice(1), 'fragments are not permitted in the URL');
  if (url.search) field.invalid(url.search.slice(1), 'query parameters are not permitted in the URL');
}

export const webhookCount = ({ webhooks }: KubeObject): number => webhooks?.length ?? 0;
