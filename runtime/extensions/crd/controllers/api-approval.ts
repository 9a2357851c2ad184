import type {
  CustomResourceDefinition,
  CustomResourceDefinitionCondition,
} from '../../../../generated/v1.35/apiextensions.k8s.io/v1/types.ts';
import { getAPIApprovalState, isProtectedCommunityGroup } from '../api-helpers.ts';

const reasons = {
  approved: 'ApprovedAnnotation',
  bypassed: 'UnapprovedAnnotation',
  invalid: 'InvalidAnnotation',
  missing: 'MissingAnnotation',
};

/**
 * Returns the condition that tells whether a definition in a protected group names its approval; undefined for other
 * groups. (apiextensions-apiserver pkg/controller/apiapproval)
 */
export function calculateAPIApprovalCondition({ spec, metadata }: CustomResourceDefinition): CustomResourceDefinitionCondition | undefined {
  if (!isProtectedCommunityGroup(spec.group)) return undefined;
  const { state, reason: message } = getAPIApprovalState(metadata.annotations);
  const status = state === 'approved' ? 'True' : 'False';
  return { type: 'KubernetesAPIApprovalPolicyConformant', status, reason: reasons[state], message };
}
