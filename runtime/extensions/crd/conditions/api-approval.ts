import { quote } from '../../../machinery/quote.ts';
import type { Condition, CustomResourceDefinition } from '../shape.ts';

const annotation = 'api-approved.kubernetes.io';
const seeAlso = 'see https://github.com/kubernetes/enhancements/pull/1111';

/** Groups that belong to the Kubernetes community. (pkg/apihelpers IsProtectedCommunityGroup) */
export function isProtectedGroup(group: string): boolean {
  return ['k8s.io', 'kubernetes.io'].some((suffix) => group === suffix || group.endsWith(`.${suffix}`));
}

/**
 * Whether a definition in a protected group says who approved it; undefined for other groups.
 * (pkg/controller/apiapproval)
 */
export function apiApproval({ spec, metadata }: CustomResourceDefinition): Condition | undefined {
  if (!isProtectedGroup(spec.group)) return undefined;
  const type = 'KubernetesAPIApprovalPolicyConformant';
  const text = metadata.annotations?.[annotation] ?? '';
  const must = `protected groups must have approval annotation ${quote(annotation)}`;
  if (text === '') return { type, status: 'False', reason: 'MissingAnnotation', message: `${must}, ${seeAlso}` };
  if (text.startsWith('unapproved')) {
    return { type, status: 'False', reason: 'UnapprovedAnnotation', message: `not approved: ${quote(text)}` };
  }
  if (isUrl(text)) return { type, status: 'True', reason: 'ApprovedAnnotation', message: `approved in ${text}` };
  const message = `${must} with either a URL or a reason starting with "unapproved", ${seeAlso}`;
  return { type, status: 'False', reason: 'InvalidAnnotation', message };
}

function isUrl(text: string): boolean {
  try {
    return new URL(text).host !== '';
  } catch {
    return false;
  }
}
