import type {
  CustomResourceDefinition,
  CustomResourceDefinitionCondition,
  CustomResourceDefinitionNames,
} from '../../../../generated/v1.35/apiextensions.k8s.io/v1/types.ts';
import { findCRDCondition, isCRDConditionTrue, removeCRDCondition, setCRDCondition } from '../api-helpers.ts';
import type { GroupNames } from './accepted-names.ts';
import { calculateAPIApprovalCondition } from './api-approval.ts';
import { calculateNamesAndConditions, equalNames } from './naming.ts';

type Condition = CustomResourceDefinitionCondition;

/** The desired status of a definition. */
export interface DesiredStatus {
  readonly acceptedNames: CustomResourceDefinitionNames;
  readonly conditions: readonly Condition[];
  /** Undefined if the definition must not have the condition. */
  readonly nonStructuralSchema: Condition | undefined;
}

/**
 * @param taken the names of other definitions and built-in resources of the group
 * @param nonStructuralSchema the condition of that name
 */
export function desiredStatus(crd: CustomResourceDefinition, taken: GroupNames, nonStructuralSchema: Condition | undefined): DesiredStatus {
  const { acceptedNames, conditions } = desiredNames(crd, taken);
  const approval = calculateAPIApprovalCondition(crd);
  if (approval !== undefined) conditions.push(approval);
  if (nonStructuralSchema !== undefined) conditions.push(nonStructuralSchema);
  return { acceptedNames, conditions, nonStructuralSchema };
}

/**
 * Names that are accepted are not looked at again, whatever the conditions say of them. (NamingConditionController sync,
 * EstablishingController sync)
 */
function desiredNames(
  crd: CustomResourceDefinition,
  taken: GroupNames,
): { readonly acceptedNames: CustomResourceDefinitionNames; readonly conditions: Condition[] } {
  const { acceptedNames, namesAccepted, established } = calculateNamesAndConditions(crd, taken);
  const accepted = crd.status?.acceptedNames;
  if (accepted === undefined || !equalNames(accepted, crd.spec.names)) return { acceptedNames, conditions: [namesAccepted, established] };
  return { acceptedNames: accepted, conditions: isCRDConditionTrue(crd, 'NamesAccepted') ? [established] : [] };
}

export function hasStatus(crd: CustomResourceDefinition, desired: DesiredStatus): boolean {
  return (
    (desired.nonStructuralSchema !== undefined || findCRDCondition(crd, 'NonStructuralSchema') === undefined) &&
    equalNames(crd.status?.acceptedNames, desired.acceptedNames) &&
    desired.conditions.every((condition) => isEquivalent(findCRDCondition(crd, condition.type), condition))
  );
}

/** Writes the desired status into the definition. @param now milliseconds since the epoch */
export function reconcileStatus(crd: CustomResourceDefinition, desired: DesiredStatus, now: number): void {
  crd.status = { ...crd.status, acceptedNames: desired.acceptedNames };
  for (const condition of desired.conditions) setCRDCondition(crd, condition, now);
  if (desired.nonStructuralSchema === undefined) removeCRDCondition(crd, 'NonStructuralSchema');
}

/** (apihelpers IsCRDConditionEquivalent) */
function isEquivalent(a: Condition | undefined, b: Condition): boolean {
  return a !== undefined && a.status === b.status && a.reason === b.reason && a.message === b.message;
}
