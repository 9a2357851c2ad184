import type { X509Certificate } from 'node:crypto';
import type * as certificates from '../../../generated/v1.35/certificates.k8s.io/v1beta1/types.ts';
import { isMailAddress } from '../../machinery/go/mail-address.ts';
import { PemReader } from '../../machinery/go/pem.ts';
import { defined } from '../../machinery/json/defined.ts';
import { equalPruned } from '../../machinery/json/equality.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { omittedValue } from '../../machinery/validation/field-error.ts';
import { byteLength } from '../../machinery/validation/name-formats.ts';
import type { AlternativeNames } from '../../machinery/x509/alternative-names.ts';
import { readAlternativeNames } from '../../machinery/x509/certificate.ts';
import { samePublicKey } from '../../machinery/x509/public-key.ts';
import { validateConditions } from '../validation/conditions.ts';
import { parseCertificate } from './certificate-chain.ts';
import { parsePublicKey } from './pod-certificate-request-validation.ts';

/** (pkg/apis/certificates/validation ValidatePodCertificateRequestStatusUpdate) */

type PodCertificateRequest = Unvalidated<certificates.PodCertificateRequest>;
type Spec = Unvalidated<certificates.PodCertificateRequestSpec>;
type Status = Unvalidated<certificates.PodCertificateRequestStatus>;

const terminalTypes: readonly string[] = ['Issued', 'Denied', 'Failed'];
const maxChainBytes = 100 * 1024;

/**
 * A status changes once: it is issued, denied or failed.
 *
 * @param now milliseconds since the epoch
 */
export function validatePodCertificateRequestStatus(
  request: PodCertificateRequest,
  old: PodCertificateRequest,
  now: number,
  root: Field,
): void {
  const status = request.status ?? {};
  const field = root.child('status');
  validateTerminalConditions(status, field.child('conditions'));
  if (root.errors.length > 0) return;
  const oldStatus = old.status ?? {};
  const immutable = (wanted: Status, detail: string): void => {
    if (!equalPruned(status, wanted)) field.invalid(omittedValue, detail);
  };
  if (terminalTypes.some((type) => isTrue(oldStatus, type))) {
    immutable(oldStatus, 'immutable after PodCertificateRequest is issued, denied, or failed');
  } else if (isTrue(status, 'Denied') || isTrue(status, 'Failed')) {
    const detail = 'non-condition status fields must be empty when denying or failing the PodCertificateRequest';
    immutable(defined({ conditions: status.conditions }), detail);
  } else if (isTrue(status, 'Issued')) {
    validateIssued(status, old.spec ?? {}, now, root);
  } else immutable(oldStatus, 'status is immutable unless transitioning to "Issued", "Denied", or "Failed"');
}

const isTrue = ({ conditions }: Status, type: string): boolean =>
  conditions?.some((condition) => condition.type === type && condition.status === 'True') ?? false;

/** Upstream separates indexes with dots. */
function validateTerminalConditions({ conditions }: Status, field: Field): void {
  let known = 0;
  for (const [index, { type = '', status = '' }] of (conditions ?? []).entries()) {
    const at = field.child(`[${index}]`);
    if (!terminalTypes.includes(type)) {
      at.child('type').notSupported(type, terminalTypes);
      continue;
    }
    known += 1;
    if (known > 1) {
      at.child('type').invalid(type, 'There may be at most one condition with type "Issued", "Denied", or "Failed"');
    }
    if (status !== 'True') at.child('status').notSupported(status, ['True']);
  }
  validateConditions(conditions ?? [], field);
}

/** Reports only the first problem, but every invalid name and every missing time. */
function validateIssued(status: Status, spec: Spec, now: number, root: Field): void {
  const { certificateChain = '' } = status;
  const field = root.child('status', 'certificateChain');
  if (byteLength(certificateChain) > maxChainBytes) {
    field.tooLong(certificateChain, maxChainBytes);
    return;
  }
  const reader = new PemReader(Buffer.from(certificateChain).toString('latin1'));
  const leaf = validateLeaf(reader, certificateChain, field);
  if (leaf === undefined) return;
  const key = parsePublicKey(Buffer.from(spec.pkixPublicKey ?? '', 'base64'));
  if (key === undefined) {
    const detail = 'must be a valid PKIX-serialized public key';
    root.child('spec', 'pkixPublicKey').invalid(spec.pkixPublicKey ?? null, detail);
  } else if (!samePublicKey(leaf.publicKey, key)) {
    field.invalid(certificateChain, 'leaf certificate was not issued to the requested public key');
  } else if (validateTimes(status, { leaf, maxSeconds: spec.maxExpirationSeconds ?? 0, now }, root.child('status'))) {
    validateIntermediates(reader, certificateChain, field);
  }
}

function validateLeaf(reader: PemReader, chain: string, field: Field): X509Certificate | undefined {
  const block = reader.next();
  if (block === undefined) {
    field.invalid(chain, 'issued certificate chain must contain at least one certificate');
    return undefined;
  }
  if (block.type !== 'CERTIFICATE') {
    field.invalid(chain, 'issued certificate chain must consist entirely of CERTIFICATE PEM blocks');
    return undefined;
  }
  const certificate = parseCertificate(block.bytes);
  const names = certificate && alternativeNames(certificate);
  if (names === undefined) {
    field.invalid(chain, 'leaf certificate does not parse as valid X.509');
    return undefined;
  }
  for (const name of names.dnsNames) validateDNSName(name, field);
  for (const address of names.emailAddresses) {
    if (!isMailAddress(address)) field.invalid(address, 'leaf certificate should not contain invalid EmailAddress');
  }
  return certificate;
}

function alternativeNames({ raw }: X509Certificate): AlternativeNames | undefined {
  try {
    return readAlternativeNames(raw);
  } catch {
    return undefined;
  }
}

function validateDNSName(name: string, field: Field): void {
  if (name === '') field.invalid(name, 'leaf certificate should not contain empty DNSName');
  if (name.includes('..')) field.invalid(name, "leaf certificate's DNSName should not contain '..'");
  if (name.startsWith('.') || name.endsWith('.')) {
    field.invalid(name, "leaf certificate's DNSName should not start or end with '.'");
  }
}

const minute = 60_000;

interface Issue {
  readonly leaf: X509Certificate;
  /** The longest lifetime that the request allows. */
  readonly maxSeconds: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Checks that the times equal the certificate's and that its lifetime is in bounds. Returns false after an error. */
function validateTimes(status: Status, { leaf, maxSeconds, now }: Issue, field: Field): boolean {
  const before = field.child('notBefore');
  const after = field.child('notAfter');
  const refresh = field.child('beginRefreshAt');
  const { notBefore, notAfter, beginRefreshAt } = status;
  if (!notBefore) before.required('must be present and consistent with the issued certificate');
  if (!notAfter) after.required('must be present and consistent with the issued certificate');
  if (!beginRefreshAt) refresh.required('must be present and in the range [notbefore+10min, notafter-10min]');
  if (field.errors.length > 0 || !notBefore || !notAfter || !beginRefreshAt) return false;
  const [from, until] = [Date.parse(leaf.validFrom), Date.parse(leaf.validTo)];
  const lifetime = until - from;
  const refreshAt = Date.parse(beginRefreshAt);
  if (Date.parse(notBefore) !== from) {
    before.invalid(notBefore, 'must be set to the NotBefore time encoded in the leaf certificate');
  } else if (Math.abs(from - now) >= 5 * minute) {
    before.invalid(notBefore, "must be set to within 5 minutes of kube-apiserver's current time");
  } else if (Date.parse(notAfter) !== until) {
    after.invalid(notAfter, 'must be set to the NotAfter time encoded in the leaf certificate');
  } else if (lifetime < 60 * minute) {
    field.child('certificateChain').invalid(nanoseconds(lifetime), 'leaf certificate lifetime must be >= 1 hour');
  } else if (lifetime > maxSeconds * 1000) {
    const detail = `leaf certificate lifetime must be <= spec.maxExpirationSeconds (${maxSeconds})`;
    field.child('certificateChain').invalid(nanoseconds(lifetime), detail);
  } else if (refreshAt < from + 10 * minute) {
    refresh.invalid(beginRefreshAt, 'must be at least 10 minutes after status.notBefore');
  } else if (refreshAt > until - 10 * minute) {
    refresh.invalid(beginRefreshAt, 'must be at least 10 minutes before status.notAfter');
  }
  return field.errors.length === 0;
}

/** Returns nanoseconds, the JSON form of Go's time.Duration. */
const nanoseconds = (milliseconds: number): bigint => BigInt(milliseconds) * 1_000_000n;

function validateIntermediates(reader: PemReader, chain: string, field: Field): void {
  for (let block = reader.next(); block !== undefined; block = reader.next()) {
    if (block.type !== 'CERTIFICATE') {
      field.invalid(chain, 'issued certificate chain must consist entirely of CERTFICATE PEM blocks');
      return;
    }
    if (parseCertificate(block.bytes) === undefined) {
      field.invalid(chain, 'intermediate certificate does not parse as valid X.509');
      return;
    }
  }
}
