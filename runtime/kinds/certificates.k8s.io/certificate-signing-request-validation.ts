import type * as certificates from '../../../generated/v1.35/certificates.k8s.io/v1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { certificateRequestProblem } from '../../machinery/x509/certificate-request.ts';
import { validateRequiredEnum } from '../validation/fields.ts';
import { certificateProblem } from './certificate-chain.ts';
import { validateSignerName } from './signer-name.ts';

/** (pkg/apis/certificates/validation) */

type CertificateSigningRequest = Unvalidated<certificates.CertificateSigningRequest>;
type Spec = Unvalidated<certificates.CertificateSigningRequestSpec>;
type Status = Unvalidated<certificates.CertificateSigningRequestStatus>;
type Condition = Unvalidated<certificates.CertificateSigningRequestCondition>;

/**
 * Errors of the old request may stay.
 *
 * @param old undefined on creation
 */
export function validateCertificateSigningRequest(
  request: CertificateSigningRequest,
  old: CertificateSigningRequest | undefined,
  field: Field,
): void {
  validateSpec(request.spec ?? {}, old?.spec, field.child('spec'));
  const status = field.child('status');
  validateConditions(request.status?.conditions ?? [], old?.status?.conditions ?? [], status.child('conditions'));
  validateCertificate(request.status?.certificate ?? '', old?.status?.certificate ?? '', status.child('certificate'));
}

const legacyUnknownSignerName = 'kubernetes.io/legacy-unknown';

function validateSpec({ usages, signerName = '', expirationSeconds, request }: Spec, old: Spec | undefined, at: Field): void {
  const problem = certificateRequestProblem(request ?? '');
  if (problem !== undefined) at.child('request').invalid(request ?? null, problem);
  validateUsages(usages ?? [], old?.usages ?? [], at.child('usages'));
  if (signerName === legacyUnknownSignerName && old?.signerName !== legacyUnknownSignerName) {
    at.child('signerName').invalid(signerName, 'the legacy signerName is not allowed via this API version');
  } else validateSignerName(signerName, at.child('signerName'));
  if (expirationSeconds !== undefined && expirationSeconds < 600) {
    const detail = 'may not specify a duration less than 600 seconds (10 minutes)';
    at.child('expirationSeconds').invalid(expirationSeconds, detail);
  }
}

/** Usages in the order of messages. */
const validUsages: readonly string[] = [
  'any',
  'cert sign',
  'client auth',
  'code signing',
  'content commitment',
  'crl sign',
  'data encipherment',
  'decipher only',
  'digital signature',
  'email protection',
  'encipher only',
  'ipsec end system',
  'ipsec tunnel',
  'ipsec user',
  'key agreement',
  'key encipherment',
  'microsoft sgc',
  'netscape sgc',
  'ocsp signing',
  's/mime',
  'server auth',
  'signing',
  'timestamping',
];

const isUnknown = (usage: string): boolean => !validUsages.includes(usage);

function validateUsages(usages: readonly string[], old: readonly string[], field: Field): void {
  if (usages.length === 0) field.required();
  if (!old.some(isUnknown)) {
    for (const [index, usage] of usages.entries()) {
      if (isUnknown(usage)) field.index(index).notSupported(usage, validUsages);
    }
  }
  if (new Set(old).size < old.length) return;
  const seen = new Set<string>();
  for (const [index, usage] of usages.entries()) {
    if (seen.has(usage)) field.index(index).duplicate(usage);
    seen.add(usage);
  }
}

export const approvalTypes: readonly (string | undefined)[] = ['Approved', 'Denied'];
const permanentTypes: readonly (string | undefined)[] = [...approvalTypes, 'Failed'];

function validateConditions(conditions: readonly Condition[], old: readonly Condition[], field: Field): void {
  const allowsEmpty = old.some(({ type }) => !type);
  const allowsBoth = approvalTypes.every((type) => old.some((condition) => condition.type === type));
  const allowsDuplicates = new Set(old.map(({ type = '' }) => type)).size < old.length;
  const seen = new Set<string>();
  for (const [index, { type = '', status = '' }] of conditions.entries()) {
    const at = field.index(index);
    if (type === '' && !allowsEmpty) at.child('type').required();
    validateRequiredEnum(status, permanentTypes.includes(type) ? ['True'] : ['False', 'True', 'Unknown'], at.child('status'));
    const other = type === 'Approved' ? 'Denied' : 'Approved';
    if (!allowsBoth && approvalTypes.includes(type) && seen.has(other)) {
      field.invalid(type, 'Approved and Denied conditions are mutually exclusive');
    }
    if (!allowsDuplicates && seen.has(type)) at.child('type').duplicate(type);
    seen.add(type);
  }
}

/** (allowArbitraryCertificate) */
function validateCertificate(certificate: string, old: string, field: Field): void {
  if (certificate === old) return;
  const problem = certificateProblem(certificate);
  if (problem === undefined || certificateProblem(old) !== undefined) return;
  field.invalid('<certificate data>', problem);
}

/** (validateCertificateSigningRequestUpdate) */
export function validateStatusUpdate(status: Status, old: Status, subresource: string | undefined, field: Field): void {
  const count = ({ conditions }: Status, type: string | undefined): number =>
    conditions?.reduce((sum, condition) => (condition.type === type ? sum + 1 : sum), 0) ?? 0;
  const at = field.child('conditions');
  for (const type of permanentTypes) {
    if (count(status, type) < count(old, type)) at.forbidden(`updates may not remove a condition of type "${type}"`);
  }
  if (subresource !== 'approval') {
    for (const type of approvalTypes) {
      if (count(status, type) > count(old, type)) at.forbidden(`updates may not add a condition of type "${type}"`);
    }
  }
  if (old.certificate && (status.certificate ?? '') !== old.certificate) {
    field.child('certificate').forbidden('updates may not modify existing certificate content');
  }
}
