import { constants, createPublicKey, type KeyObject, verify } from 'node:crypto';
import type * as certificates from '../../../generated/v1.35/certificates.k8s.io/v1beta1/types.ts';
import { GoStruct } from '../../machinery/go/value.ts';
import { equalPruned } from '../../machinery/json/equality.ts';
import { memberOrDropped } from '../../machinery/prune/dropped-values.ts';
import { maxInt64 } from '../../machinery/scalars/integers.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { omittedValue } from '../../machinery/validation/field-error.ts';
import { byteLength, dnsSubdomain } from '../../machinery/validation/name-formats.ts';
import { DERReader, tags } from '../../machinery/x509/der-reader.ts';
import { immutableText, validateFormat } from '../validation/fields.ts';
import { validateUserAnnotations } from '../validation/user-annotations.ts';
import { maxExpirationSecondsOf, validateSignerName } from './signer-name.ts';

/** (pkg/apis/certificates/validation ValidatePodCertificateRequestCreate) */

type Spec = Unvalidated<certificates.PodCertificateRequestSpec>;

const maxUidBytes = 128;
const maxKeyBytes = 10 * 1024;
const minExpirationSeconds = 60 * 60;

export function validatePodCertificateRequest(spec: Spec, field: Field): void {
  const { signerName = '', podName = '', podUID = '', serviceAccountName = '', serviceAccountUID = '' } = spec;
  const { nodeName = '', nodeUID = '', maxExpirationSeconds } = spec;
  validateSignerName(signerName, field.child('signerName'));
  validateUserAnnotations(spec.unverifiedUserAnnotations ?? {}, field.child('unverifiedUserAnnotations'));
  validateFormat(podName, dnsSubdomain, field.child('podName'));
  validateUID(podUID, field.child('podUID'));
  validateFormat(serviceAccountName, dnsSubdomain, field.child('serviceAccountName'));
  validateUID(serviceAccountUID, field.child('serviceAccountUID'));
  validateFormat(nodeName, dnsSubdomain, field.child('nodeName'));
  validateUID(nodeUID, field.child('nodeUID'));
  const expiration = field.child('maxExpirationSeconds');
  if (maxExpirationSeconds === undefined) {
    expiration.required('must be set');
    return;
  }
  const max = maxExpirationSecondsOf(signerName);
  if (maxExpirationSeconds < minExpirationSeconds || maxExpirationSeconds > max) {
    expiration.invalid(maxExpirationSeconds, `must be in the range [${minExpirationSeconds}, ${max}]`);
  }
  validateProofOfPossession(spec, field);
}

function validateUID(uid: string, field: Field): void {
  if (uid === '') field.invalid(uid, 'must not be empty');
  if (byteLength(uid) > maxUidBytes) field.tooLong(uid, maxUidBytes);
}

/** The proof is a signature of the pod's UID. Only the first problem is reported. */
function validateProofOfPossession({ podUID = '', pkixPublicKey, proofOfPossession }: Spec, field: Field): void {
  const keyField = field.child('pkixPublicKey');
  const proofField = field.child('proofOfPossession');
  const info = Buffer.from(pkixPublicKey ?? '', 'base64');
  const proof = Buffer.from(proofOfPossession ?? '', 'base64');
  if (info.length > maxKeyBytes) {
    keyField.tooLong(pkixPublicKey, maxKeyBytes);
    return;
  }
  if (proof.length > maxKeyBytes) {
    proofField.tooLong(proofOfPossession, maxKeyBytes);
    return;
  }
  const key = parsePublicKey(info);
  if (key === undefined) {
    keyField.invalid(pkixPublicKey ?? null, 'must be a valid PKIX-serialized public key');
  } else if (!supportedTypes.includes(key.asymmetricKeyType)) {
    const detail = 'unknown public key type; supported types are Ed25519, ECDSA, and RSA';
    keyField.invalid(pkixPublicKey ?? null, detail);
  } else if (validateKeySize(key, keyField) && !isProof(key, Buffer.from(podUID), proof)) {
    proofField.invalid(omittedValue, 'could not verify proof-of-possession signature');
  }
}

const supportedTypes: readonly (string | undefined)[] = ['ed25519', 'ec', 'rsa'];
/** Key types that Go does not parse. */
const foreignTypes: readonly (string | undefined)[] = ['rsa-pss', 'ed448', 'x448', 'dh'];

/** Go's names of curves, by OpenSSL's names. */
const curves: Readonly<Record<string, string | undefined>> = {
  prime256v1: 'P-256',
  secp384r1: 'P-384',
  secp521r1: 'P-521',
  secp224r1: 'P-224',
};

/** Parses a SubjectPublicKeyInfo. Returns undefined for anything else. (crypto/x509 ParsePKIXPublicKey) */
export function parsePublicKey(info: Buffer): KeyObject | undefined {
  try {
    const reader = new DERReader(info);
    reader.expect(tags.sequence);
    reader.end();
    const key = createPublicKey({ key: info, format: 'der', type: 'spki' });
    const { asymmetricKeyType: type, asymmetricKeyDetails: { namedCurve = '', publicExponent = 0n } = {} } = key;
    if (foreignTypes.includes(type) || (type === 'ec' && curves[namedCurve] === undefined)) return undefined;
    return publicExponent > maxInt64 ? undefined : key;
  } catch {
    return undefined;
  }
}

function validateKeySize({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject, field: Field): boolean {
  const { namedCurve = '', modulusLength = 0 } = asymmetricKeyDetails ?? {};
  if (asymmetricKeyType === 'ec' && namedCurve === 'secp224r1') {
    field.invalid(`curve ${curves[namedCurve]}`, 'elliptic public keys must use curve P256 or P384');
    return false;
  }
  const bits = Math.ceil(modulusLength / 8) * 8;
  if (asymmetricKeyType === 'rsa' && bits !== 3072 && bits !== 4096) {
    field.invalid(`${bits}-bit modulus`, 'RSA keys must have modulus size 3072 or 4096');
    return false;
  }
  return true;
}

/** The maximum exponent of an RSA key, as in crypto/rsa; larger ones take long. */
const maxPublicExponent = 2n ** 31n - 1n;

function isProof(key: KeyObject, text: Buffer, proof: Buffer): boolean {
  if ((key.asymmetricKeyDetails?.publicExponent ?? 0n) > maxPublicExponent) return false;
  try {
    if (key.asymmetricKeyType === 'ed25519') return verify(null, text, key, proof);
    if (key.asymmetricKeyType === 'ec') return verify('sha256', text, key, proof);
    const padding = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_AUTO };
    return verify('sha256', text, { key, ...padding }, proof);
  } catch {
    return false;
  }
}

/** (ValidatePodCertificateRequestUpdate) */
export function validatePodCertificateRequestUpdate(spec: Spec, old: Spec, field: Field): void {
  if (!equalPruned(spec, old)) field.invalid(new GoStruct(() => internalSpec(spec)), immutableText);
}

const internalSpec = (spec: Spec): object => ({
  SignerName: spec.signerName ?? '',
  PodName: spec.podName ?? '',
  PodUID: spec.podUID ?? '',
  ServiceAccountName: spec.serviceAccountName ?? '',
  ServiceAccountUID: spec.serviceAccountUID ?? '',
  NodeName: spec.nodeName ?? '',
  NodeUID: spec.nodeUID ?? '',
  MaxExpirationSeconds: spec.maxExpirationSeconds ?? null,
  PKIXPublicKey: spec.pkixPublicKey ?? null,
  ProofOfPossession: spec.proofOfPossession ?? null,
  UnverifiedUserAnnotations: memberOrDropped(spec, 'unverifiedUserAnnotations') ?? null,
});
