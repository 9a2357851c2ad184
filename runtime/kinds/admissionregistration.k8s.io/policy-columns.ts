import type * as v1 from '../../../generated/v1.35/admissionregistration.k8s.io/v1/types.ts';
import type * as v1beta1 from '../../../generated/v1.35/admissionregistration.k8s.io/v1beta1/types.ts';
import type { LabelSelector } from '../../../generated/v1.35/meta/v1/types.ts';
import { goLabelSelector } from '../../machinery/go/label-selector.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';

/** Columns of admission policies and their bindings. (pkg/printers/internalversion) */

type ValidatingAdmissionPolicy = Unvalidated<v1.ValidatingAdmissionPolicy>;
type ValidatingAdmissionPolicyBinding = Unvalidated<v1.ValidatingAdmissionPolicyBinding>;
type MutatingAdmissionPolicy = Unvalidated<v1beta1.MutatingAdmissionPolicy>;
type MutatingAdmissionPolicyBinding = Unvalidated<v1beta1.MutatingAdmissionPolicyBinding>;

export const policyValidations = ({ spec }: ValidatingAdmissionPolicy): number => spec?.validations?.length ?? 0;
export const policyMutations = ({ spec }: MutatingAdmissionPolicy): number => spec?.mutations?.length ?? 0;
export const policyParamKind = ({ spec }: MutatingAdmissionPolicy | ValidatingAdmissionPolicy): string =>
  spec?.paramKind ? `${spec.paramKind.apiVersion ?? ''}/${spec.paramKind.kind ?? ''}` : '<unset>';

/**
 * Formats the namespace and name of the parameters, or their selector. The namespace `*` stands for that of the
 * request, if it has one.
 */
export function bindingParam({ spec }: MutatingAdmissionPolicyBinding | ValidatingAdmissionPolicyBinding): string {
  const { name, namespace, selector } = spec?.paramRef ?? {};
  if (name) return `${namespace || '*'}/${name}`;
  return selector ? goLabelSelector(selector as LabelSelector) : '<unset>';
}
