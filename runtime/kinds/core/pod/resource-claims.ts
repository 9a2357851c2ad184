import type * as core from '../../../../generated/v1.35/core/v1/types.ts';
import type { ObjectMeta } from '../../../machinery/object.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import { Field } from '../../../machinery/validation/field.ts';
import { FieldPath } from '../../../machinery/validation/field-path.ts';
import { dnsLabel, dnsSubdomain } from '../../../machinery/validation/name-formats.ts';
import { validateFormat, validateRequiredFormat } from '../../validation/fields.ts';
import { mirrorAnnotation } from './annotations.ts';
import { internalPodResourceClaim } from './internal-types.ts';

type PodResourceClaim = Unvalidated<core.PodResourceClaim>;

/**
 * (pkg/apis/core/validation, validatePodResourceClaims)
 *
 * @param metadata of a pod; undefined for a template
 * @param spec the path of the spec with the claims
 */
export function validatePodResourceClaims(claims: readonly PodResourceClaim[], metadata: ObjectMeta | undefined, spec: Field): void {
  if (claims.length === 0) return;
  const isStatic = metadata?.annotations?.[mirrorAnnotation] !== undefined;
  const seen = new Set<string>();
  for (const [index, claim] of claims.entries()) {
    if (isStatic) Field.at(FieldPath.unnamed, spec.errors).forbidden('static pods do not support resource claims');
    else validatePodResourceClaim(claim, seen, spec.child('resourceClaims').index(index));
  }
}

/** (validatePodResourceClaim) */
function validatePodResourceClaim(claim: PodResourceClaim, seen: Set<string>, field: Field): void {
  const { name = '', resourceClaimName, resourceClaimTemplateName } = claim;
  if (name && seen.has(name)) field.child('name').duplicate(name);
  else validateRequiredFormat(name, dnsLabel, field.child('name'));
  seen.add(name);
  if (resourceClaimName !== undefined && resourceClaimTemplateName !== undefined) {
    const detail = 'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified';
    field.invalid(internalPodResourceClaim(claim), detail);
  }
  if (resourceClaimName === undefined && resourceClaimTemplateName === undefined) {
    const detail = 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`';
    field.invalid(internalPodResourceClaim(claim), detail);
  }
  for (const member of ['resourceClaimName', 'resourceClaimTemplateName'] as const) {
    const referred = claim[member];
    if (referred !== undefined) validateFormat(referred, dnsSubdomain, field.child(member));
  }
}
