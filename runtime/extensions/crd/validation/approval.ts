import { quote } from '../../../machinery/go/quote.ts';
import { type FieldError, invalid, required } from '../../../machinery/validation/field-error.ts';
import { FieldPath } from '../../../machinery/validation/field-path.ts';
import { parseGoUrl } from '../../../structural/formats-uri.ts';
import type { Definition } from './internal-spec.ts';

const annotation = 'api-approved.kubernetes.io';
const see = 'see https://github.com/kubernetes/enhancements/pull/1111';

export interface APIApprovalState {
  readonly state: 'invalid' | 'approved' | 'bypassed' | 'missing';
  /** For the condition KubernetesAPIApprovalPolicyConformant, and for errors. */
  readonly reason: string;
}

/** Whether a group is one of Kubernetes' own, whose definitions must say who approved them. (pkg/apihelpers) */
export function isProtectedCommunityGroup(group: string): boolean {
  return ['k8s.io', 'kubernetes.io'].some((domain) => group === domain || group.endsWith(`.${domain}`));
}

/** What the annotation of a definition says of its approval. */
export function getAPIApprovalState(annotations: Readonly<Record<string, string>> | undefined): APIApprovalState {
  const value = annotations?.[annotation] ?? '';
  const must = `protected groups must have approval annotation ${quote(annotation)}`;
  if (value === '') return { state: 'missing', reason: `${must}, ${see}` };
  if (value.startsWith('unapproved')) return { state: 'bypassed', reason: `not approved: ${quote(value)}` };
  const url = parseGoUrl(value, true);
  if (typeof url !== 'string' && url.host !== '' && url.scheme !== '') {
    return { state: 'approved', reason: `approved in ${value}` };
  }
  return { state: 'invalid', reason: `${must} with either a URL or a reason starting with "unapproved", ${see}` };
}

/** (validateAPIApproval) */
export function validateAPIApproval(definition: Definition, old: Definition | undefined, errors: FieldError[]): void {
  if (!isProtectedCommunityGroup(definition.spec?.group ?? '')) return;
  const { state, reason } = getAPIApprovalState(definition.metadata.annotations);
  if (old && getAPIApprovalState(old.metadata.annotations).state === state) return;
  const path = FieldPath.of('metadata', 'annotations').key(annotation);
  if (state === 'missing') errors.push(required(path, reason));
  else if (state === 'invalid') errors.push(invalid(path, definition.metadata.annotations?.[annotation] ?? '', reason));
}
