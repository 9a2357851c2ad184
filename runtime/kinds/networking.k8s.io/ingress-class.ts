import type * as networking from '../../../generated/v1.35/networking.k8s.io/v1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import { validateDomainPrefixedPath } from '../../machinery/validation/domain-prefixed-path.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { dnsLabel } from '../../machinery/validation/name-formats.ts';
import type { RESTStrategy } from '../../resources/rest.ts';
import { validateEnum, validateFormat, validateImmutableField } from '../validation/fields.ts';
import { validatedBy } from '../validation/validated-by.ts';
import { validateTypedLocalObjectReference } from './typed-local-object-reference.ts';

/** (pkg/apis/networking/validation/validation.go) */

type IngressClass = Unvalidated<networking.IngressClass>;

export function ingressClassParameters({ spec }: IngressClass): string {
  const parameters = spec?.parameters;
  if (!parameters) return '<none>';
  const group = parameters.apiGroup == null ? '' : `.${parameters.apiGroup}`;
  return `${parameters.kind}${group}/${parameters.name}`;
}

const maxControllerLength = 250;

/** (ValidateIngressClass, validateIngressClassSpec) */
function validateIngressClass({ spec }: IngressClass, field: Field): void {
  const controller = spec?.controller ?? '';
  const at = field.child('spec', 'controller');
  if (Buffer.byteLength(controller) > maxControllerLength) at.tooLong(controller, maxControllerLength);
  validateDomainPrefixedPath(controller, at);
  if (spec?.parameters) validateParametersReference(spec.parameters, field.child('spec', 'parameters'));
}

const scopes = ['Cluster', 'Namespace'];

/** The default of the scope is already set. (validateIngressClassParametersReference) */
function validateParametersReference(parameters: Unvalidated<networking.IngressClassParametersReference>, field: Field): void {
  validateTypedLocalObjectReference(parameters, field);
  const { scope = '', namespace } = parameters;
  const at = field.child('namespace');
  if (scope === 'Namespace') {
    if (namespace === undefined) at.required("`parameters.scope` is set to 'Namespace'");
    else validateFormat(namespace, dnsLabel, at);
  } else if (scope === 'Cluster') {
    if (namespace !== undefined) at.forbidden("`parameters.scope` is set to 'Cluster'");
  } else validateEnum(scope, scopes, field.child('scope'), false);
}

/** (ValidateIngressClassUpdate) */
function validateIngressClassUpdate(ingressClass: IngressClass, old: IngressClass, field: Field): void {
  validateImmutableField(ingressClass.spec?.controller ?? '', old.spec?.controller ?? '', field.child('spec', 'controller'));
  validateIngressClass(ingressClass, field);
}

/** (pkg/registry/networking/ingressclass/strategy.go) */
export const ingressClassStrategy: RESTStrategy = validatedBy(validateIngressClass, validateIngressClassUpdate);
