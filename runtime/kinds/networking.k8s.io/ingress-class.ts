import type { KubeObject, Part } from '../../machinery/object.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { dnsSubdomain } from '../../machinery/validation/name-formats.ts';
import { validateImmutableField } from '../validation/fields.ts';

export function ingressClassParameters({ spec }: KubeObject): string {
  const parameters = spec?.parameters;
  if (!parameters) return '<none>';
  const group = parameters.apiGroup == null ? '' : `.${parameters.apiGroup}`;
  return `${parameters.kind}${group}/${parameters.name}`;
}

const maxController = 250;

export function validateIngressClass(ingressClass: Part, path: Field): void {
  const controller = ingressClass.spec?.controller ?? '';
  const at = path.child('spec', 'controller');
  const [host = '', rest = ''] = controller.split(/\/(.*)/s);
  if (controller === '') at.required();
  else if (host === '' || rest === '') {
    at.invalid(controller, 'must be a domain-prefixed path (such as "acme.io/foo")');
  } else for (const message of dnsSubdomain(host)) at.invalid(host, message);
  if (controller.length > maxController) at.tooLong(controller, maxController);
}

export function validateIngressClassUpdate(ingressClass: Part, old: Part, field: Field): void {
  validateImmutableField(ingressClass.spec?.controller, old.spec?.controller, field.child('spec', 'controller'));
}
