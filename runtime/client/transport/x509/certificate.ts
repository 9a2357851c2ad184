import { X509Certificate } from 'node:crypto';
import { type AlternativeNames, noAlternativeNames, readExtensions } from '../../../machinery/x509/alternative-names.ts';
import { DERReader, type Element, elements, objectIdentifierText, tags } from '../../../machinery/x509/der-reader.ts';

/** The fields of a certificate for the verification of a chain. (crypto/x509 Certificate) */
export interface Certificate {
  /** DER. */
  readonly raw: Buffer;
  /** 1 to 3. */
  readonly version: number;
  readonly serialNumber: bigint;
  /** The object identifier. */
  readonly signatureAlgorithm: string;
  /** The DER bytes of names and keys. */
  readonly issuer: Buffer;
  readonly subject: Buffer;
  readonly publicKeyInfo: Buffer;
  /** Milliseconds since the epoch. */
  readonly notBefore: number;
  readonly notAfter: number;
  /** Undefined without basic constraints. `maxPathLength` is -1 without a limit. */
  readonly basicConstraints: { readonly isCA: boolean; readonly maxPathLength: number } | undefined;
  /** Undefined without key usage. */
  readonly canSignCertificates: boolean | undefined;
  /** Object identifiers. */
  readonly extendedKeyUsages: readonly string[];
  readonly subjectKeyId: Buffer;
  readonly authorityKeyId: Buffer;
  /** The DER of the alternative names; undefined without the extension. */
  readonly alternativeNamesExtension: Buffer | undefined;
  readonly alternativeNames: AlternativeNames;
  readonly hasUnhandledCriticalExtension: boolean;
}

const extensionTypes = {
  subjectKeyId: '2.5.29.14',
  keyUsage: '2.5.29.15',
  alternativeNames: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyId: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
} as const;

/**
 * Supported extensions, which may be critical: the fields of Certificate, name constraints and policies. (crypto/x509
 * processExtensions)
 */
const handledExtensions: ReadonlySet<string> = new Set([
  ...Object.values(extensionTypes),
  ...['30', '31', '32', '33', '36', '54'].map((last) => `2.5.29.${last}`),
]);

interface Extension {
  readonly type: string;
  readonly isCritical: boolean;
  readonly value: Buffer;
}

/** @param raw DER. @throws Error for invalid bytes */
export function parseCertificate(raw: Buffer): Certificate {
  const whole = new DERReader(raw).enter(tags.sequence);
  const body = whole.enter(tags.sequence);
  const version = body.nextTag === 0xa0 ? (body.enter(0xa0).expect(tags.integer).content[0] ?? 0) + 1 : 1;
  const serialNumber = BigInt(`0x${body.expect(tags.integer).content.toString('hex') || '0'}`);
  body.next();
  const issuer = body.next().whole;
  const validity = body.enter(tags.sequence);
  const notBefore = timeOf(validity.next());
  const notAfter = timeOf(validity.next());
  const subject = body.next().whole;
  const publicKeyInfo = body.next().whole;
  const list = extensionList(body);
  const extensions = [...elements(list)].map(extensionOf);
  const valueFor = (type: string): Buffer | undefined => extensions.find((one) => one.type === type)?.value;
  const names = noAlternativeNames();
  readExtensions(list, names);
  const hasNames = Object.values(names).some((some) => some.length > 0);
  const isUnhandled = ({ type, isCritical }: Extension): boolean =>
    isCritical && (!handledExtensions.has(type) || (type === extensionTypes.alternativeNames && !hasNames));
  return {
    raw,
    version,
    serialNumber,
    issuer,
    subject,
    publicKeyInfo,
    notBefore,
    notAfter,
    signatureAlgorithm: objectIdentifierText(whole.enter(tags.sequence).expect(tags.objectIdentifier)),
    basicConstraints: basicConstraintsOf(valueFor(extensionTypes.basicConstraints)),
    canSignCertificates: canSign(valueFor(extensionTypes.keyUsage)),
    extendedKeyUsages: usagesOf(valueFor(extensionTypes.extendedKeyUsage)),
    subjectKeyId: contentOf(valueFor(extensionTypes.subjectKeyId)),
    authorityKeyId: authorityKeyIdOf(valueFor(extensionTypes.authorityKeyId)),
    alternativeNamesExtension: valueFor(extensionTypes.alternativeNames),
    alternativeNames: names,
    hasUnhandledCriticalExtension: extensions.some(isUnhandled),
  };
}

/** Returns the certificate in node:crypto's type. */
export const nativeCertificate = ({ raw }: Certificate): X509Certificate => new X509Certificate(raw);

/** Returns the last value of an attribute in a name; undefined without one. */
export function attributeOf(name: Buffer, type: string): string | undefined {
  let found: string | undefined;
  for (const set of elements(new DERReader(name).next().content)) {
    for (const attribute of elements(set.content)) {
      const parts = new DERReader(attribute.content);
      if (objectIdentifierText(parts.expect(tags.objectIdentifier)) === type) found = parts.next().content.toString();
    }
  }
  return found;
}

function extensionList(body: DERReader): Buffer {
  while (!body.isAtEnd && body.nextTag !== 0xa3) body.next();
  return body.isAtEnd ? Buffer.alloc(0) : body.enter(0xa3).expect(tags.sequence).content;
}

function extensionOf({ content }: Element): Extension {
  const parts = new DERReader(content);
  const type = objectIdentifierText(parts.expect(tags.objectIdentifier));
  const isCritical = parts.nextTag === 0x01 && parts.next().content[0] !== 0;
  return { type, isCritical, value: parts.expect(tags.octetString).content };
}

/** UTCTime or GeneralizedTime. */
function timeOf({ tag, content }: Element): number {
  const text = content.toString('latin1');
  const digits = tag === 0x17 ? `${Number(text.slice(0, 2)) >= 50 ? '19' : '20'}${text}` : text;
  const [, date, time] = /^(\d{8})(\d{6})Z$/.exec(digits) ?? [];
  if (date === undefined) throw new Error('x509: malformed validity');
  return Date.parse(`${date.replace(/(....)(..)(..)/, '$1-$2-$3')}T${(time as string).replace(/(..)(..)(..)/, '$1:$2:$3')}Z`);
}

function basicConstraintsOf(value: Buffer | undefined): Certificate['basicConstraints'] {
  if (value === undefined) return undefined;
  const parts = new DERReader(value).enter(tags.sequence);
  const isCA = parts.nextTag === 0x01 && parts.next().content[0] !== 0;
  const maxPathLength = parts.nextTag === tags.integer ? parts.next().content.readUInt8() : -1;
  return { isCA, maxPathLength };
}

/** Reads the sixth bit: keyCertSign. */
function canSign(value: Buffer | undefined): boolean | undefined {
  if (value === undefined) return undefined;
  const { content } = new DERReader(value).expect(tags.bitString);
  return ((content[1] ?? 0) & 0x04) !== 0;
}

const usagesOf = (value: Buffer | undefined): string[] =>
  value === undefined ? [] : [...elements(new DERReader(value).expect(tags.sequence).content)].map(objectIdentifierText);

const contentOf = (value: Buffer | undefined): Buffer => (value === undefined ? Buffer.alloc(0) : new DERReader(value).next().content);

function authorityKeyIdOf(value: Buffer | undefined): Buffer {
  if (value === undefined) return Buffer.alloc(0);
  const parts = new DERReader(value).enter(tags.sequence);
  return parts.nextTag === 0x80 ? parts.next().content : Buffer.alloc(0);
}
