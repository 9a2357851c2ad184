import type * as certificates from '../../../generated/v1.35/certificates.k8s.io/v1/types.ts';
import { humanDuration } from '../../machinery/age.ts';
import { elementAt } from '../../machinery/collections/element-at.ts';
import { setOrDelete } from '../../machinery/json/defined.ts';
import { timeText } from '../../machinery/scalars/time.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { UserInfo } from '../../machinery/user-info.ts';
import { Field } from '../../machinery/validation/field.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import type { RESTStrategy } from '../../resources/rest.ts';
import { toUserInfo } from '../authentication.k8s.io/user-info.ts';
import { approvalTypes, validateCertificateSigningRequest, validateStatusUpdate } from './certificate-signing-request-validation.ts';

/** (pkg/registry/certificates/certificates) */

type CertificateSigningRequest = Unvalidated<certificates.CertificateSigningRequest>;
type Condition = Unvalidated<certificates.CertificateSigningRequestCondition>;

export const requestDuration = ({ spec }: CertificateSigningRequest): string =>
  spec?.expirationSeconds === undefined ? '<none>' : humanDuration(spec.expirationSeconds * 1000);

/** Formats the conditions, as `Approved,Issued`. */
export function requestCondition({ status }: CertificateSigningRequest): string {
  const has = (wanted: string): boolean => status?.conditions?.some(({ type }) => type === wanted) ?? false;
  const approval = has('Denied') ? 'Denied' : has('Approved') ? 'Approved' : 'Pending';
  return `${approval}${has('Failed') ? ',Failed' : ''}${status?.certificate ? ',Issued' : ''}`;
}

/** (csrStrategy, csrStatusStrategy, csrApprovalStrategy) */
export const certificateSigningRequestStrategy: RESTStrategy = {
  prepareForCreate(request: CertificateSigningRequest, context) {
    setRequester(request, context.user);
  },
  prepareForUpdate(request: CertificateSigningRequest, old: CertificateSigningRequest, context) {
    const { subresource, now, part } = context;
    setOrDelete(request, 'spec', old.spec);
    if (part === 'main') return;
    const conditions = request.status?.conditions ?? [];
    const oldConditions = old.status?.conditions ?? [];
    request.status =
      subresource === 'approval'
        ? { ...old.status, conditions: withTimestamps(conditions, oldConditions, now) }
        : {
            ...request.status,
            conditions: withTimestamps(preserveApprovals(conditions, oldConditions), oldConditions, now),
          };
    if (request.status.conditions?.length === 0) delete request.status.conditions;
  },
  validateCreate(request: CertificateSigningRequest, errors) {
    validateCertificateSigningRequest(request, undefined, Field.at(FieldPath.root, errors));
  },
  validateUpdate(request: CertificateSigningRequest, old: CertificateSigningRequest, errors, { subresource }) {
    const root = Field.at(FieldPath.root, errors);
    validateCertificateSigningRequest(request, old, root);
    validateStatusUpdate(request.status ?? {}, old.status ?? {}, subresource, root.child('status'));
  },
};

/** Sets the requester to the user of the request, whatever the object says. */
function setRequester(request: CertificateSigningRequest, user: UserInfo): void {
  const { username: _username, uid: _uid, groups: _groups, extra: _extra, ...spec } = request.spec ?? {};
  request.spec = { ...spec, ...toUserInfo(user) };
}

/**
 * Returns the conditions with the old approvals and denials. If their number changed, which validation refuses, returns
 * the new ones. (preserveConditionInstances)
 */
function preserveApprovals(conditions: readonly Condition[], oldConditions: readonly Condition[]): Condition[] {
  const result = [...conditions];
  for (const type of approvalTypes) {
    const old = oldConditions.filter((condition) => condition.type === type);
    const indexes = conditions.flatMap((condition, index) => (condition.type === type ? [index] : []));
    if (indexes.length === old.length) for (const [nth, index] of indexes.entries()) result[index] = elementAt(old, nth);
  }
  return result;
}

/** Returns the conditions with the times of their last update and transition. (populateConditionTimestamps) */
function withTimestamps(conditions: readonly Condition[], oldConditions: readonly Condition[], now: number): Condition[] {
  const present = timeText(now);
  const keyOf = ({ type, status }: Condition): string => JSON.stringify([type, status]);
  // Reversed, so that the first of equal conditions wins.
  const known = new Map([...oldConditions].reverse().map((condition) => [keyOf(condition), condition]));
  return conditions.map((condition) => {
    const same = known.get(keyOf(condition));
    return {
      ...condition,
      lastUpdateTime: condition.lastUpdateTime || present,
      lastTransitionTime: condition.lastTransitionTime || same?.lastTransitionTime || present,
    };
  });
}
