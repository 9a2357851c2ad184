import { constants, createPrivateKey, type KeyObject, randomBytes, sign, X509Certificate } from 'node:crypto';
import { encodePem } from '../go/pem.ts';
import { readIssuer } from './certificate.ts';
import { type CertificateRequest, type DistinguishedName, type NameAttribute, signatureProblem } from './certificate-request.ts';
import { bits, boolean, integer, objectIdentifier, octets, printable, sequence, set, tagged, time, utf8 } from './der-writer.ts';
import { type CertificateUsages, usagesOf } from './usages.ts';

/** A certificate and its key, in PEM. */
export interface SigningPair {
  readonly certificate: string;
  readonly key: string;
}

/** The terms of a signature, besides the request. */
export interface SigningTerms {
  readonly usages: readonly string[];
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The validity of the certificate in milliseconds. */
  readonly ttl: number;
  /** The serial number without its first byte: 15 bytes. Default: random. */
  readonly serial?: Buffer;
}

/**
 * Milliseconds before now at which certificates become valid, for clocks that are behind. Short-lived certificates do
 * not end earlier because of it.
 */
const backdate = 5 * 60_000;
const short = 8 * 60 * 60_000;

/** A certificate authority. (pkg/controller/certificates/authority) */
export class CertificateAuthority {
  readonly #key: KeyObject;
  readonly #issuer: Buffer;
  readonly #keyId: Buffer | undefined;
  /** Milliseconds since the epoch. */
  readonly #notAfter: number;

  /** @throws Error if the pair cannot be used */
  constructor({ certificate, key }: SigningPair) {
    const parsed = new X509Certificate(certificate);
    this.#key = createPrivateKey(key);
    if (!parsed.checkPrivateKey(this.#key)) throw new Error('tls: private key does not match public key');
    const facts = readIssuer(parsed.raw);
    this.#issuer = facts.subject;
    this.#keyId = facts.keyId;
    this.#notAfter = Date.parse(parsed.validTo);
  }

  /**
   * Signs a request. The certificate has only the subject, the alternative names and the key of the request. It is
   * never a CA certificate. (PermissiveSigningPolicy)
   *
   * @returns PEM
   * @throws Error in Go's words
   */
  sign(request: CertificateRequest, terms: SigningTerms): string {
    const problem = signatureProblem(request);
    if (problem !== undefined) throw new Error(`unable to verify certificate request signature: ${problem}`);
    const usages = usagesOf(terms.usages);
    const [from, until] = this.#validity(terms);
    const { algorithm, hash } = signatureOf(this.#key);
    const subject = encodeName(request.subject);
    const body = sequence(
      tagged(0xa0, integer(Buffer.from([2]))),
      // the first byte is not zero
      integer(Buffer.concat([Buffer.from([1]), terms.serial ?? randomBytes(15)])),
      algorithm,
      this.#issuer,
      sequence(time(from), time(until)),
      subject,
      request.publicKeyInfo,
      tagged(0xa3, sequence(...this.#extensions(request, usages))),
    );
    const signature = sign(hash, body, { key: this.#key, padding: constants.RSA_PKCS1_PADDING });
    return encodePem('CERTIFICATE', sequence(body, algorithm, bits(signature)));
  }

  #validity({ now, ttl }: SigningTerms): readonly [from: number, until: number] {
    const from = now - backdate;
    const until = Math.min(ttl < short ? now + ttl : now + ttl - backdate, this.#notAfter);
    const expiry = new Date(this.#notAfter).toISOString();
    if (from >= this.#notAfter) throw new Error(`the signer has expired: NotAfter=${expiry}`);
    if (now >= this.#notAfter) {
      throw new Error(`refusing to sign a certificate that expired in the past: NotAfter=${expiry}`);
    }
    return [from, until];
  }

  /** Returns the extensions in Go's order. */
  #extensions(request: CertificateRequest, { keyUsage, extended }: CertificateUsages): Buffer[] {
    const list: Buffer[] = [];
    if (keyUsage.size > 0) list.push(extension('2.5.29.15', encodeKeyUsage(keyUsage), true));
    if (extended.length > 0) list.push(extension('2.5.29.37', sequence(...extended.map(objectIdentifier))));
    list.push(extension('2.5.29.19', sequence(), true));
    if (this.#keyId !== undefined) list.push(extension('2.5.29.35', sequence(tagged(0x80, this.#keyId))));
    const names = alternativeNames(request);
    if (names.length > 0) list.push(extension('2.5.29.17', sequence(...names), request.subject.size === 0));
    return list;
  }
}

function extension(type: string, value: Buffer, critical = false): Buffer {
  return sequence(objectIdentifier(type), ...(critical ? [boolean(true)] : []), octets(value));
}

function alternativeNames({ dnsNames, emailAddresses, ipAddresses, uris }: CertificateRequest): Buffer[] {
  const texts = (tag: number, values: readonly string[]) => values.map((value) => tagged(tag, Buffer.from(value, 'latin1')));
  return [
    ...texts(0x82, dnsNames),
    ...texts(0x81, emailAddresses),
    ...ipAddresses.map((address) => tagged(0x87, address)),
    ...texts(0x86, uris),
  ];
}

/** Encodes a bit string without zeros at its end. */
function encodeKeyUsage(keyUsage: ReadonlySet<number>): Buffer {
  const last = Math.max(...keyUsage);
  const bytes = Buffer.alloc(last >= 8 ? 2 : 1);
  for (const bit of keyUsage) bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | (0x80 >> (bit & 7));
  return bits(bytes, 7 - (last & 7));
}

/** Country, organization, unit, locality, province, street, postal code, common name, serial number. (ToRDNSequence) */
const nameOrder: readonly NameAttribute[] = [6, 10, 11, 7, 8, 9, 17, 3, 5];
/** The attributes of which a name has only one value. */
const single: ReadonlySet<NameAttribute> = new Set([3, 5]);

/** Encodes each type as one set with all its values. Attributes that Go does not know are left out. */
function encodeName(name: DistinguishedName): Buffer {
  const sets: Buffer[] = [];
  for (const type of nameOrder) {
    const all = (name.get(type) ?? []).filter((value) => value !== '' || !single.has(type));
    const values = single.has(type) ? all.slice(-1) : all;
    if (values.length === 0) continue;
    const attributes = values.map((value) => sequence(objectIdentifier(`2.5.4.${type}`), encodeText(value)));
    sets.push(set(...attributes.sort(Buffer.compare)));
  }
  return sequence(...sets);
}

const encodeText = (text: string): Buffer => (/^[A-Za-z0-9 '()+,\-./:=?]*$/.test(text) ? printable(text) : utf8(text));

/** Returns the signature algorithm for a key's type. */
function signatureOf(key: KeyObject): { readonly algorithm: Buffer; readonly hash: string | null } {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
  if (type === 'rsa') {
    // PKCS#1 has a NULL in place of the parameters
    return { algorithm: sequence(objectIdentifier('1.2.840.113549.1.1.11'), tagged(0x05)), hash: 'sha256' };
  }
  if (type === 'ed25519') return { algorithm: sequence(objectIdentifier('1.3.101.112')), hash: null };
  if (type !== 'ec') throw new Error('x509: only RSA, ECDSA and Ed25519 keys supported');
  const curve = details?.namedCurve;
  if (curve === 'secp384r1') return { algorithm: sequence(objectIdentifier('1.2.840.10045.4.3.3')), hash: 'sha384' };
  if (curve === 'secp521r1') return { algorithm: sequence(objectIdentifier('1.2.840.10045.4.3.4')), hash: 'sha512' };
  return { algorithm: sequence(objectIdentifier('1.2.840.10045.4.3.2')), hash: 'sha256' };
}
