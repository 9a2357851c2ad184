import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, X509Certificate } from 'node:crypto';
import { isIPv4, isIPv6 } from 'node:net';
import { encodePem } from '../machinery/go/pem.ts';
import { type KeySource, systemKeys } from '../machinery/keys.ts';
import { readIssuer } from '../machinery/x509/certificate.ts';
import { bits, boolean, integer, objectIdentifier, octets, sequence, set, tagged, time, utf8 } from '../machinery/x509/der-writer.ts';
import { privateKeyPem } from '../machinery/x509/private-key.ts';

/** A certificate and its private key, in PEM. */
export interface KeyPair {
  readonly certificate: string;
  readonly key: string;
}

export interface CertificateRequest {
  readonly commonName: string;
  readonly organizations?: readonly string[];
  /** The uid of a user. (apimachinery pkg/apis/asn1 X509UID) */
  readonly uid?: string;
  /** DNS names and IP addresses. */
  readonly names?: readonly string[];
  readonly use: 'ca' | 'server' | 'client';
  /** Milliseconds since the epoch. */
  readonly from: number;
  readonly until: number;
}

const ecdsaWithSha256 = sequence(objectIdentifier('1.2.840.10045.4.3.2'));
const ed25519 = sequence(objectIdentifier('1.3.101.112'));
const extendedUse = { server: '1.3.6.1.5.5.7.3.1', client: '1.3.6.1.5.5.7.3.2' } as const;

/**
 * Creates a key and its certificate, signed by `issuer` or self-signed. Takes about 0.3 ms. Loading a certificate
 * library would take 150 ms, and the first start of a server needs three certificates.
 *
 * @param keys default: EC P-256
 */
export function issueCertificate(request: CertificateRequest, issuer?: KeyPair, keys: KeySource = systemKeys): KeyPair {
  const { use, commonName } = request;
  const privateKey = use === 'ca' ? keys.authorityKey(commonName) : keys.certificateKey(commonName);
  const publicKey = createPublicKey(privateKey);
  const keyInfo = publicKey.export({ type: 'spki', format: 'der' });
  const subject = distinguishedName(request);
  const signer = issuer ? issuerFacts(issuer) : { name: subject, key: privateKey, keyInfo };
  const isEd25519 = signer.key.asymmetricKeyType === 'ed25519';
  const algorithm = isEd25519 ? ed25519 : ecdsaWithSha256;
  const body = sequence(
    tagged(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([0x01]), keys.serial(commonName)])),
    algorithm,
    signer.name,
    sequence(time(request.from), time(request.until)),
    subject,
    keyInfo,
    tagged(0xa3, sequence(...extensions(request, keyInfo, signer.keyInfo))),
  );
  const certificate = sequence(body, algorithm, bits(sign(isEd25519 ? null : 'sha256', body, signer.key)));
  return {
    certificate: encodePem('CERTIFICATE', certificate),
    key: privateKeyPem(privateKey),
  };
}

function issuerFacts(issuer: KeyPair): { name: Buffer; key: KeyObject; keyInfo: Buffer } {
  const certificate = new X509Certificate(issuer.certificate);
  return {
    name: readIssuer(certificate.raw).subject,
    key: createPrivateKey(issuer.key),
    keyInfo: certificate.publicKey.export({ type: 'spki', format: 'der' }),
  };
}

function distinguishedName({ commonName, organizations = [], uid }: CertificateRequest): Buffer {
  const part = (type: string, value: string): Buffer => set(sequence(objectIdentifier(type), utf8(value)));
  return sequence(
    ...organizations.map((value) => part('2.5.4.10', value)),
    part('2.5.4.3', commonName),
    ...(uid === undefined ? [] : [part('1.3.6.1.4.1.57683.2', uid)]),
  );
}

function extensions(request: CertificateRequest, keyInfo: Buffer, issuerKeyInfo: Buffer): Buffer[] {
  const extension = (type: string, critical: boolean, value: Buffer): Buffer =>
    sequence(objectIdentifier(type), ...(critical ? [boolean(true)] : []), octets(value));
  const { use, names } = request;
  const isCa = use === 'ca';
  const list = [
    extension('2.5.29.19', true, sequence(...(isCa ? [boolean(true)] : []))),
    // digitalSignature, keyEncipherment and keyCertSign for a CA; digitalSignature for other certificates
    extension('2.5.29.15', true, isCa ? bits(Buffer.from([0xa4]), 2) : bits(Buffer.from([0x80]), 7)),
    extension('2.5.29.14', false, octets(keyId(keyInfo))),
    extension('2.5.29.35', false, sequence(tagged(0x80, keyId(issuerKeyInfo)))),
  ];
  if (!isCa) list.push(extension('2.5.29.37', false, sequence(objectIdentifier(extendedUse[use]))));
  if (names !== undefined && names.length > 0) {
    list.push(extension('2.5.29.17', false, sequence(...names.map(alternativeName))));
  }
  return list;
}

function keyId(keyInfo: Buffer): Buffer {
  return createHash('sha1').update(keyInfo).digest();
}

function alternativeName(name: string): Buffer {
  if (isIPv4(name)) return tagged(0x87, Buffer.from(name.split('.').map(Number)));
  if (isIPv6(name)) return tagged(0x87, ipv6Bytes(name));
  return tagged(0x82, Buffer.from(name, 'ascii'));
}

function ipv6Bytes(address: string): Buffer {
  const plain = address
    .split('%', 1)
    .join()
    .replace(/\d+\.\d+\.\d+\.\d+$/, (ipv4) => {
      const [a = 0, b = 0, c = 0, d = 0] = ipv4.split('.').map(Number);
      return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
    });
  const [head = [], tail] = plain.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - head.length - tail.length }, () => '0');
  const words = [...head, ...zeros, ...(tail ?? [])];
  return Buffer.from(words.map((word) => word.padStart(4, '0')).join(''), 'hex');
}
