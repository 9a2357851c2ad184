import type * as v2 from '../../../../generated/v1.35/autoscaling/v2/types.ts';
import { parseGroupVersion } from '../../../machinery/gvk.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import type { Field } from '../../../machinery/validation/field.ts';
import { pathSegment } from '../../../structural/formats.ts';
import { validateRequiredFormat } from '../../validation/fields.ts';

/** (pkg/apis/autoscaling/validation/validation.go) */

type Reference = Unvalidated<v2.CrossVersionObjectReference>;

/** (CrossVersionObjectReferenceValidationOptions) */
export interface ReferenceOptions {
  readonly allowEmptyAPIGroup: boolean;
  readonly allowInvalidAPIVersion: boolean;
}

export function validateCrossVersionObjectReference(ref: Reference, field: Field, options: ReferenceOptions): void {
  validateRequiredFormat(ref.kind, pathSegment, field.child('kind'));
  validateRequiredFormat(ref.name, pathSegment, field.child('name'));
  if (options.allowInvalidAPIVersion) return;
  const problem = apiVersionProblem(ref, options);
  if (problem !== undefined) field.child('apiVersion').invalid(ref.apiVersion ?? '', problem);
}

/** (ValidateAPIVersion) */
export function apiVersionProblem({ apiVersion = '' }: Reference, { allowEmptyAPIGroup }: ReferenceOptions): string | undefined {
  const groupVersion = apiVersion === '/' ? { group: '' } : parseGroupVersion(apiVersion);
  if (groupVersion === undefined) return `unexpected GroupVersion string: ${apiVersion}`;
  return allowEmptyAPIGroup || groupVersion.group !== '' ? undefined : 'apiVersion must specify API group';
}
