import { constants, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { messageOf } from '../errors/message-of.ts';
import { PemReader } from '../go/pem.ts';
import { type AlternativeNames, noAlternativeNames, readExtensions } from './alternative-names.ts';
import { DERError, DERReader, type Element, elements, objectIdentifierText, structureError, tags } from './der-reader.ts';

/** The parts of a name that Go knows: last numbers of object identifiers below 2.5.4. (crypto/x509/pkix Name) */
export type NameAttribute = 3 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 17;

/** The values of a name by type, in order. Types that Go does not know are left out. */
export type DistinguishedName = ReadonlyMap<NameAttribute, readonly string[]>;

/** A PKCS#10 request for a certificate. (crypto/x509 CertificateRequest) */
export interface CertificateRequest extends AlternativeNames {
  readonly subject: DistinguishedName;
  /** The last common name, or "". */
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** The subject's public key as SubjectPublicKeyInfo. */
  readonly publicKeyInfo: Buffer;
  readonly publicKey: KeyObject;
  readonly signature: Signature;
}

interface Signature {
  /** The signed bytes. */
  readonly body: Buffer;
  /** AlgorithmIdentifier. */
  readonly algorithm: Element;
  readonly bytes: Buffer;
}

const knownAttributes: ReadonlySet<number> = new Set([3, 5, 6, 7, 8, 9, 10, 11, 17]);

const extensionRequest = '1.2.840.113549.1.9.14';

/**
 * Parses a request. Its signature is not verified. (pkg/apis/certificates ParseCSR, crypto/x509 ParseCertificateRequest)
 *
 * @param request PEM in base64, as in spec.request
 * @throws Error in Go's words
 */
export function parseCertificateRequest(request: string): CertificateRequest {
  const block = new PemReader(Buffer.from(request, 'base64').toString('latin1')).next();
  if (block?.type !== 'CERTIFICATE REQUEST') throw new Error('PEM block type must be CERTIFICATE REQUEST');
  const file = new DERReader(block.bytes);
  const outer = file.enter(tags.sequence);
  file.end();
  const body = outer.expect(tags.sequence);
  const algorithm = outer.expect(tags.sequence);
  const signature = outer.expect(tags.bitString);
  outer.end();
  const facts = new DERReader(body.content);
  facts.expect(tags.integer);
  const subject = readName(facts.expect(tags.sequence).content);
  const publicKeyInfo = facts.expect(tags.sequence).whole;
  const attributes = facts.isAtEnd ? undefined : facts.expect(0xa0);
  return {
    subject,
    commonName: subject.get(3)?.at(-1) ?? '',
    organizations: subject.get(10) ?? [],
    publicKeyInfo,
    publicKey: readPublicKey(publicKeyInfo),
    ...readAlternativeNames(attributes),
    signature: { body: body.whole, algorithm, bytes: bytesOf(signature) },
  };
}

/** Returns the bytes of a bit string. Its first byte counts the unused bits of the last one. */
function bytesOf({ content }: Element): Buffer {
  if (content[0] !== 0) throw new DERError('asn1: syntax error: invalid padding bits in BIT STRING');
  return content.subarray(1);
}

function readPublicKey(info: Buffer): KeyObject {
  try {
    return createPublicKey({ key: info, format: 'der', type: 'spki' });
  } catch {
    throw structureError('not a public key');
  }
}

function readName(content: Buffer): DistinguishedName {
  const name = new Map<NameAttribute, string[]>();
  for (const set of elements(content)) {
    if (set.tag !== tags.set) throw structureError('tags do not match');
    for (const attribute of elements(set.content)) {
      const reader = new DERReader(attribute.content);
      const type = reader.expect(tags.objectIdentifier).content;
      const value = stringOf(reader.next());
      const last = type.at(-1) ?? 0;
      const isKnown = type.length === 3 && type[0] === 0x55 && type[1] === 0x04 && knownAttributes.has(last);
      if (!isKnown || value === undefined) continue;
      const values = name.get(last as NameAttribute);
      if (values === undefined) name.set(last as NameAttribute, [value]);
      else values.push(value);
    }
  }
  return name;
}

const latin1Tags: ReadonlySet<number> = new Set([0x12, 0x13, 0x14, 0x16]);
const utf16Tag = 0x1e;

/**
 * Returns the text of a string; undefined for other types.
 *
 * @throws DERError if the bytes are not valid characters of the type
 */
function stringOf({ tag, content }: Element): string | undefined {
  if (tag === tags.utf8String) {
    const text = content.toString('utf8');
    if (!Buffer.from(text, 'utf8').equals(content)) throw new DERError('asn1: invalid UTF-8 string');
    return text;
  }
  if (tag === utf16Tag) {
    if (content.length % 2 !== 0) throw new DERError('pkcs12: odd-length BMP string');
    return Buffer.from(content).swap16().toString('utf16le');
  }
  if (!latin1Tags.has(tag)) return undefined;
  if (content.some((byte) => byte >= 0x80)) throw new DERError('asn1: syntax error: string contains invalid character');
  return content.toString('latin1');
}

function readAlternativeNames(attributes: Element | undefined): AlternativeNames {
  const names = noAlternativeNames();
  if (attributes === undefined) return names;
  for (const attribute of elements(attributes.content)) {
    const reader = new DERReader(attribute.content);
    if (objectIdentifierText(reader.expect(tags.objectIdentifier)) !== extensionRequest) continue;
    const values = reader.enter(tags.set);
    if (!values.isAtEnd) readExtensions(values.expect(tags.sequence).content, names);
  }
  return names;
}

/** Hashes by the object identifier of the signature algorithm. Ed25519 needs none. */
const hashes: ReadonlyMap<string, string | null> = new Map([
  ['1.2.840.113549.1.1.5', 'sha1'],
  ['1.2.840.113549.1.1.11', 'sha256'],
  ['1.2.840.113549.1.1.12', 'sha384'],
  ['1.2.840.113549.1.1.13', 'sha512'],
  ['1.2.840.10045.4.1', 'sha1'],
  ['1.2.840.10045.4.3.2', 'sha256'],
  ['1.2.840.10045.4.3.3', 'sha384'],
  ['1.2.840.10045.4.3.4', 'sha512'],
  ['1.3.101.112', null],
]);

/** RSASSA-PSS. Its parameters name the hash, told apart by the end of the hash's object identifier. */
const pss = '1.2.840.113549.1.1.10';
const pssHash = /6086480165030402(0[1-3])/;
const pssHashes = new Map([
  ['01', 'sha256'],
  ['02', 'sha384'],
  ['03', 'sha512'],
]);

const failures: Readonly<Record<string, string>> = {
  rsa: 'crypto/rsa: verification error',
  ec: 'x509: ECDSA verification failure',
  ed25519: 'x509: Ed25519 verification failure',
};

/** Returns an error text unless the request is signed with its own key. (crypto/x509 CheckSignature) */
export function signatureProblem({ publicKey, signature }: CertificateRequest): string | undefined {
  const { body, algorithm, bytes } = signature;
  const reader = new DERReader(algorithm.content);
  const id = reader.nextTag === tags.objectIdentifier ? objectIdentifierText(reader.next()) : '';
  const parameters = algorithm.content.toString('hex');
  const hash = id === pss ? pssHashes.get(pssHash.exec(parameters)?.[1] ?? '') : hashes.get(id);
  const failure = failures[publicKey.asymmetricKeyType ?? ''];
  if (failure === undefined || hash === undefined) return 'x509: cannot verify signature: algorithm unimplemented';
  const padding = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
  try {
    return verify(hash, body, { key: publicKey, ...(id === pss ? padding : {}) }, bytes) ? undefined : failure;
  } catch {
    return failure;
  }
}

/** Returns an error text unless the request is PEM and signed with its own key. */
export function certificateRequestProblem(request: string): string | undefined {
  try {
    return signatureProblem(parseCertificateRequest(request));
  } catch (error) {
    return messageOf(error);
  }
}
