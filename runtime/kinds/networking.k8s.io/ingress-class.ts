import type { KubeObject, Part } from '../../machinery/object.ts';
import { invalid, required } from '../../machinery/validation/field-error.ts';
import type { FieldPath } from '../../machinery/validation/field-path.ts';
import { dnsSubdomain } from '../../machinery/validation/name-formats.ts';
import { type Errors, validateImmutableField } from '../validation/fields.ts';

export function ingressClassParameters({ spec }: KubeObject): string {
  const parameters = spec?.parameters;
  if (!parameters) return '<none>';
  const group = parameters.apiGroup == null ? '' : `.${parameters.apiGroup}`;
  return `${parameters.kind}${group}/${parameters.name}`;
}

const maxController = 250;

export function validateIngressClass(ingressClass: Part, path: FieldPath, errors: Errors): void {
  const controller = ingressClass.spec?.controller ?? '';
  const at = path.child('spec', 'controller');
  const [host = '', rest = ''] = controller.split(/\/(.*)/s);
  if (controller === '') errors.push(required(at));
  else if (host === '' || rest === '') {
    errors.push(invalid(at, controller, 'must be a domain-prefixed path (such as "acme.io/foo")'));
  } else for (const message of dnsSubdomain(host)) errors.push(invalid(at, host, message));
  if (controller.length > maxController) {
    const detail = `may not be more than ${maxController} bytes`;
    errors.push({ type: 'FieldValueTooLong', field: at.toString(), badValue: controller, detail });
  }
}

export function validateIngressClassUpdate(ingressClass: Part, old: Part, path: FieldPath, errors: Errors): void {
  validateImmutableField(ingressClass.spec?.controller, old.spec?.controller, path.child('spec', 'controller'), errors);
}
