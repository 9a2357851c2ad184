import { X509Certificate } from 'node:crypto';
import type * as certificates from '../../../generated/v1.35/certificates.k8s.io/v1/types.ts';
import { humanDuration } from '../../machinery/age.ts';
import { PemReader } from '../../machinery/go/pem.ts';
import { quote } from '../../machinery/go/quote.ts';
import { timeText } from '../../machinery/scalars/time.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { UserInfo } from '../../machinery/user-info.ts';
import { Field } from '../../machinery/validation/field.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import { certificateRequestProblem } from '../../machinery/x509/certificate-request.ts';
import type { RESTStrategy } from '../../resources/rest.ts';
import { toUserInfo } from '../authentication.k8s.io/user-info.ts';
import { validateSignerName } from './signer-name.ts';

/** (pkg/apis/certificates/validation, pkg/registry/certificates/certificates) */

type CertificateSigningRequest = Unvalidated<certificates.CertificateSigningRequest>;
type Condition = Unvalidated<certificates.CertificateSigningRequestCondition>;

/** (validateCertificateSigningRequest) */
export function validateCertificateSigningRequest({ spec = {} }: CertificateSigningRequest, field: Field): void {
  const { usages = [], signerName = '', expirationSeconds, request } = spec;
  const at = field.child('spec');
  const problem = certificateRequestProblem(request ?? '');
  if (problem !== undefined) at.child('request').invalid(request || null, problem);
  if (usages.length === 0) at.child('usages').required();
  validateUsages(usages, at.child('usages'));
  if (signerName === legacyUnknownSignerName) {
    at.child('signerName').invalid(signerName, 'the legacy signerName is not allowed via this API version');
  } else validateSignerName(signerName, at.child('signerName'));
  if (expirationSeconds !== undefined && expirationSeconds < 600) {
    const detail = 'may not specify a duration less than 600 seconds (10 minutes)';
    at.child('expirationSeconds').invalid(expirationSeconds, detail);
  }
}

const legacyUnknownSignerName = 'kubernetes.io/legacy-unknown';

/** In the order of messages. */
const validUsages: readonly string[] = [
  ...['any', 'cert sign', 'client auth', 'code signing', 'content commitment', 'crl sign', 'data encipherment'],
  ...['decipher only', 'digital signature', 'email protection', 'encipher only', 'ipsec end system', 'ipsec tunnel'],
  ...['ipsec user', 'key agreement', 'key encipherment', 'microsoft sgc', 'netscape sgc', 'ocsp signing', 's/mime'],
  ...['server auth', 'signing', 'timestamping'],
];

function validateUsages(usages: readonly string[], field: Field): void {
  for (const [index, usage] of usages.entries()) {
    if (!validUsages.includes(usage)) field.index(index).notSupported(usage, validUsages);
  }
  const seen = new Set<string>();
  for (const [index, usage] of usages.entries()) {
    if (seen.has(usage)) field.index(index).duplicate(usage);
    seen.add(usage);
  }
}

export const requestDuration = ({ spec }: CertificateSigningRequest): string =>
  spec?.expirationSeconds === undefined ? '<none>' : humanDuration(spec.expirationSeconds * 1000);

/** For example `Approved,Issued`. */
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
    request.spec = old.spec;
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
  validateUpdate(request: CertificateSigningRequest, old: CertificateSigningRequest, errors, { subresource }) {
    const field = Field.at(FieldPath.of('status'), errors);
    validateConditions(request.status?.conditions ?? [], old.status?.conditions ?? [], field.child('conditions'));
    validateStatusUpdate(request.status ?? {}, { old: old.status ?? {}, subresource }, field);
  },
};

/** The requester is the user of the request; what the object says is ignored. */
function setRequester(request: CertificateSigningRequest, user: UserInfo): void {
  const { username: _username, uid: _uid, groups: _groups, extra: _extra, ...spec } = request.spec ?? {};
  request.spec = { ...spec, ...toUserInfo(user) };
}

const approvalTypes: readonly (string | undefined)[] = ['Approved', 'Denied'];
const permanentTypes: readonly (string | undefined)[] = [...approvalTypes, 'Failed'];

/**
 * Returns the conditions with the old approvals and denials, unless their number changed, which is an error of
 * validation. (preserveConditionInstances)
 */
function preserveApprovals(conditions: readonly Condition[], oldConditions: readonly Condition[]): Condition[] {
  const result = [...conditions];
  for (const type of approvalTypes) {
    const old = oldConditions.filter((condition) => condition.type === type);
    const indexes = conditions.flatMap((condition, index) => (condition.type === type ? [index] : []));
    if (indexes.length === old.length) for (const [nth, index] of indexes.entries()) result[index] = old[nth];
  }
  return result;
}

/** What was already wrong in the old conditions is allowed. (validateConditions) */
function validateConditions(conditions: readonly Condition[], oldConditions: readonly Condition[], field: Field): void {
  const known = new Map<string, Condition>();
  const duplicated = new Set<string>();
  for (const condition of oldConditions) {
    const { type = '' } = condition;
    if (known.has(type)) duplicated.add(type);
    else known.set(type, condition);
  }
  const hadBoth = known.has('Approved') && known.has('Denied');
  const seen = new Set<string | undefined>();
  for (const [index, { type = '', status = '' }] of conditions.entries()) {
    const at = field.index(index);
    if (type === '' && !known.has('')) at.child('type').required();
    const old = known.get(type);
    const isPermanent = permanentTypes.includes(type);
    if (!isPermanent || old === undefined || old.status === 'True') {
      validateConditionStatus(status, isPermanent ? ['True'] : ['False', 'True', 'Unknown'], at.child('status'));
    }
    if (approvalTypes.includes(type) && !hadBoth && approvalTypes.some((other) => other !== type && seen.has(other))) {
      at.child('type').invalid(type, 'Approved and Denied conditions are mutually exclusive');
    }
    if (seen.has(type) && !duplicated.has(type)) at.child('type').duplicate(type);
    seen.add(type);
  }
}

function validateConditionStatus(status: string, allowed: readonly string[], field: Field): void {
  if (status === '') field.required();
  else if (!allowed.includes(status)) field.notSupported(status, allowed);
}

type Status = Unvalidated<certificates.CertificateSigningRequestStatus>;

/** (validateCertificateSigningRequestUpdate) */
function validateStatusUpdate(
  status: Status,
  { old, subresource }: { readonly old: Status; readonly subresource: string | undefined },
  field: Field,
): void {
  const count = ({ conditions = [] }: Status, type: string | undefined): number =>
    conditions.filter((condition) => condition.type === type).length;
  const at = field.child('conditions');
  for (const type of permanentTypes) {
    if (count(status, type) < count(old, type)) at.forbidden(`updates may not remove a condition of type "${type}"`);
  }
  if (subresource !== 'approval') {
    for (const type of approvalTypes) {
      if (count(status, type) > count(old, type)) at.forbidden(`updates may not add a condition of type "${type}"`);
    }
  }
  if (subresource === 'status' && old.certificate && (status.certificate ?? '') !== old.certificate) {
    field.child('certificate').forbidden('updates may not modify existing certificate content');
  }
  const { certificate = '' } = status;
  if (certificate === (old.certificate ?? '') || certificateProblem(old.certificate ?? '') !== undefined) return;
  const problem = certificateProblem(certificate);
  if (problem !== undefined) field.child('certificate').invalid('<certificate data>', problem);
}

/** What is wrong with a certificate chain, PEM in base64; undefined for nothing. (validateCertificate) */
function certificateProblem(chain: string): string | undefined {
  if (chain === '') return undefined;
  const reader = new PemReader(Buffer.from(chain, 'base64').toString('latin1'));
  let blocks = 0;
  for (let block = reader.next(); block !== undefined; block = reader.next()) {
    if (block.type !== 'CERTIFICATE') return `only CERTIFICATE PEM blocks are allowed, found ${quote(block.type)}`;
    if (block.hasHeaders) return 'no PEM block headers are permitted';
    blocks += 1;
    if (block.bytes.length === 0) return 'found CERTIFICATE PEM block containing 0 certificates';
    if (!isCertificate(block.bytes)) return 'x509: malformed certificate';
  }
  return blocks === 0 ? 'must contain at least one CERTIFICATE PEM block' : undefined;
}

function isCertificate(der: Buffer): boolean {
  try {
    return new X509Certificate(der).raw.length === der.length;
  } catch {
    return false;
  }
}

/** Conditions with the times of their last update and transition. (populateConditionTimestamps) */
function withTimestamps(
  conditions: readonly Condition[],
  oldConditions: readonly Condition[],
  now: number,
): Condition[] {
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
