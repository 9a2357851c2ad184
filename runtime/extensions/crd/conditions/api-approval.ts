import type { Condition, CustomResourceDefinition } from '../shape.ts';
import { approvalState, isProtectedGroup } from '../validation/approval.ts';

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
export function apiApproval({ spec, metadata }: CustomResourceDefinition): Condition | undefined {
  if (!isProtectedGroup(spec.group)) return undefined;
  const { state, reason: message } = approvalState(metadata.annotations);
  const status = state === 'approved' ? 'True' : 'False';
  return { type: 'KubernetesAPIApprovalPolicyConformant', status, reason: reasons[state], message };
}
