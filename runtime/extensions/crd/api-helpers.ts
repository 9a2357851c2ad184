import type {
  CustomResourceDefinition,
  CustomResourceDefinitionCondition,
  CustomResourceDefinitionNames,
  CustomResourceValidation,
} from '../../../generated/v1.35/apiextensions.k8s.io/v1/types.ts';
import { elementAt } from '../../machinery/collections/element-at.ts';
import { quote } from '../../machinery/go/quote.ts';
import { setOrDelete } from '../../machinery/json/defined.ts';
import { timeText } from '../../machinery/scalars/time.ts';
import type { JsonSchema } from '../../machinery/schema/json-schema.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import { parseGoUrl } from '../../structural/formats-uri.ts';

/** Helpers for CustomResourceDefinitions. (apiextensions-apiserver pkg/apihelpers/helpers.go) */

export const crdGroup = 'apiextensions.k8s.io';
export const crdResource = 'customresourcedefinitions';
export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io';
/** KubeAPIApprovedAnnotation */
export const apiApprovedAnnotation = 'api-approved.kubernetes.io';

export function findCRDCondition({ status }: CustomResourceDefinition, type: string): CustomResourceDefinitionCondition | undefined {
  return status?.conditions?.find((one) => one.type === type);
}

export function isCRDConditionTrue(crd: CustomResourceDefinition, type: string): boolean {
  return findCRDCondition(crd, type)?.status === 'True';
}

/**
 * Replaces the condition of the same type, or appends it. The transition time changes only with the status.
 *
 * @param now milliseconds since the epoch
 */
export function setCRDCondition(crd: CustomResourceDefinition, condition: CustomResourceDefinitionCondition, now: number): void {
  crd.status ??= {};
  crd.status.conditions ??= [];
  const { conditions } = crd.status;
  const existing = conditions.find(({ type }) => type === condition.type);
  const lastTransitionTime = timeText(now);
  if (existing === undefined) {
    conditions.push({ ...condition, lastTransitionTime });
    return;
  }
  if (existing.status !== condition.status || !existing.lastTransitionTime) {
    existing.lastTransitionTime = lastTransitionTime;
  }
  existing.status = condition.status;
  setOrDelete(existing, 'reason', condition.reason);
  setOrDelete(existing, 'message', condition.message);
}

export function removeCRDCondition({ status }: CustomResourceDefinition, type: string): void {
  if (status?.conditions) status.conditions = status.conditions.filter((one) => one.type !== type);
}

export function hasCRDFinalizer({ metadata }: CustomResourceDefinition, finalizer: string): boolean {
  return metadata.finalizers?.includes(finalizer) ?? false;
}

export function removeCRDFinalizer({ metadata }: CustomResourceDefinition, finalizer: string): void {
  const others = (metadata.finalizers ?? []).filter((one) => one !== finalizer);
  if (others.length > 0) metadata.finalizers = others;
  else delete metadata.finalizers;
}

/** Returns the name of the version that objects are stored at. Validation guarantees that there is one. */
export function getCRDStorageVersion({ spec }: CustomResourceDefinition): string {
  return (spec.versions.find(({ storage }) => storage) ?? elementAt(spec.versions, 0)).name;
}

/** Returns the names by which the resource is served. */
export function servedNames({ spec, status }: CustomResourceDefinition): CustomResourceDefinitionNames {
  return status?.acceptedNames?.plural ? status.acceptedNames : spec.names;
}

/** Returns the schema of a version in the form that validation and structural schemas read. */
export function schemaOf({ schema }: { readonly schema?: Unvalidated<CustomResourceValidation> }): JsonSchema | undefined {
  return schema?.openAPIV3Schema as JsonSchema | undefined;
}

/**
 * Returns the schema that objects of a version are served by. A definition with preserveUnknownFields, which v1 no longer
 * accepts, prunes nothing.
 */
export function getSchemaForVersion(
  { spec }: CustomResourceDefinition,
  version: { readonly schema?: CustomResourceValidation },
): JsonSchema | undefined {
  const schema = schemaOf(version);
  return spec.preserveUnknownFields ? { ...schema, 'x-kubernetes-preserve-unknown-fields': true } : schema;
}

/** Reports whether a group is reserved for Kubernetes. Its definitions must name their approval. */
export function isProtectedCommunityGroup(group: string): boolean {
  return ['k8s.io', 'kubernetes.io'].some((domain) => group === domain || group.endsWith(`.${domain}`));
}

export interface APIApprovalState {
  readonly state: 'invalid' | 'approved' | 'bypassed' | 'missing';
  /** For the condition KubernetesAPIApprovalPolicyConformant and for errors. */
  readonly reason: string;
}

/** Reads the approval annotation of a definition. */
export function getAPIApprovalState(annotations: Readonly<Record<string, string>> | undefined): APIApprovalState {
  const value = annotations?.[apiApprovedAnnotation] ?? '';
  const must = `protected groups must have approval annotation ${quote(apiApprovedAnnotation)}`;
  const see = 'see https://github.com/kubernetes/enhancements/pull/1111';
  if (value === '') return { state: 'missing', reason: `${must}, ${see}` };
  if (value.startsWith('unapproved')) return { state: 'bypassed', reason: `not approved: ${quote(value)}` };
  const url = parseGoUrl(value, true);
  if (typeof url !== 'string' && url.host !== '' && url.scheme !== '') {
    return { state: 'approved', reason: `approved in ${value}` };
  }
  return { state: 'invalid', reason: `${must} with either a URL or a reason starting with "unapproved", ${see}` };
}
