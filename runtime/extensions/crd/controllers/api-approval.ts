import type { Condition, CustomResourceDefinition } from '../api-helpers.ts';
import { getAPIApprovalState, isProtectedCommunityGroup } from '../validation/approval.ts';

const reasons = {
  approved: 'ApprovedAnnotation',
  bypassed: 'UnapprovedAnnotation',
  invalid: 'InvalidAnnotation',
  missing: 'MissingAnnotation',
};

/**
 * Whether a definition in a protected group says who approved it; undefined for other groups.
 * (pkg/controller/apiapproval)
 */
export function calculateAPIApprovalCondition({ spec, metadata }: CustomResourceDefinition): Condition | undefined {
  if (!isProtectedCommunityGroup(spec.group)) return undefined;
  const { state, reason: message } = getAPIApprovalState(metadata.annotations);
  const status = state === 'approved' ? 'True' : 'False';
  return { type: 'KubernetesAPIApprovalPolicyConformant', status, reason: reasons[state], message };
}
