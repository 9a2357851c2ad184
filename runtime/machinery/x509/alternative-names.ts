import { DERReader, type Element, elements, objectIdentifierText, tags } from './der-reader.ts';

/** The subject alternative names of a certificate. (RFC 5280, section 4.2.1.6) */
export interface AlternativeNames {
  readonly dnsNames: readonly string[];
  readonly emailAddresses: readonly string[];
  /** Addresses of 4 or 16 bytes. */
  readonly ipAddresses: readonly Buffer[];
  readonly uris: readonly string[];
}

interface NameLists {
  dnsNames: string[];
  emailAddresses: string[];
  ipAddresses: Buffer[];
  uris: string[];
}

export const noAlternativeNames = (): NameLists => ({ dnsNames: [], emailAddresses: [], ipAddresses: [], uris: [] });

const subjectAlternativeName = '2.5.29.17';

/**
 * Adds the alternative names in a list of extensions. Other extensions are skipped.
 *
 * @throws Error in Go's words
 */
export function readExtensions(list: Buffer, names: NameLists): void {
  for (const extension of elements(list)) {
    const reader = new DERReader(extension.content);
    const type = objectIdentifierText(reader.expect(tags.objectIdentifier));
    if (reader.nextTag === 0x01) reader.next();
    const value = reader.expect(tags.octetString).content;
    if (type !== subjectAlternativeName) continue;
    const alternatives = new DERReader(value);
    for (const name of elements(alternatives.expect(tags.sequence).content)) addName(name, names);
    if (!alternatives.isAtEnd) throw new Error('x509: invalid subject alternative names');
  }
}

function addName({ tag, content }: Element, names: NameLists): void {
  if (tag === 0x81) names.emailAddresses.push(ascii(content, 'rfc822Name'));
  else if (tag === 0x82) names.dnsNames.push(ascii(content, 'dNSName'));
  else if (tag === 0x86) names.uris.push(uri(ascii(content, 'uniformResourceIdentifier')));
  else if (tag === 0x87) {
    if (content.length !== 4 && content.length !== 16) {
      throw new Error(`x509: cannot parse IP address of length ${content.length}`);
    }
    names.ipAddresses.push(content);
  }
}

function ascii(content: Buffer, type: string): string {
  if (content.some((byte) => byte >= 0x80)) throw new Error(`x509: SAN ${type} is malformed`);
  return content.toString('latin1');
}

function uri(text: string): string {
  if (/[\0-\x20\x7f]/.test(text) || /%(?![0-9A-Fa-f]{2})/.test(text)) {
    throw new Error(`x509: cannot parse URI ${JSON.stringify(text)}`);
  }
  return text;
}
