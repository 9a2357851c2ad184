import type * as networking from '../../../generated/v1.35/networking.k8s.io/v1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { dnsSubdomain } from '../../machinery/validation/name-formats.ts';
import { validateImmutableField } from '../validation/fields.ts';

type IngressClass = Unvalidated<networking.IngressClass>;

export function ingressClassParameters({ spec }: IngressClass): string {
  const parameters = spec?.parameters;
  if (!parameters) return '<none>';
  const group = parameters.apiGroup == null ? '' : `.${parameters.apiGroup}`;
  return `${parameters.kind}${group}/${parameters.name}`;
}

const maxControllerLength = 250;

/** (ValidateIngressClass, validateIngressClassSpec) */
export function validateIngressClass({ spec }: IngressClass, field: Field): void {
  const controller = spec?.controller ?? '';
  const at = field.child('spec', 'controller');
  const [host = '', rest = ''] = controller.split(/\/(.*)/s);
  if (controller === '') at.required();
  else if (host === '' || rest === '') {
    at.invalid(controller, 'must be a domain-prefixed path (such as "acme.io/foo")');
  } else for (const message of dnsSubdomain(host)) at.invalid(host, message);
  if (controller.length > maxControllerLength) at.tooLong(controller, maxControllerLength);
}

export function validateIngressClassUpdate(ingressClass: IngressClass, old: IngressClass, field: Field): void {
  validateImmutableField(ingressClass.spec?.controller, old.spec?.controller, field.child('spec', 'controller'));
}
