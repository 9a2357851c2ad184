import { quote } from '../go/quote.ts';

/** Bits of the KeyUsage extension, from the most significant bit. (RFC 5280) */
const keyUsages: ReadonlyMap<string, number> = new Map([
  ['signing', 0],
  ['digital signature', 0],
  ['content commitment', 1],
  ['key encipherment', 2],
  ['data encipherment', 3],
  ['key agreement', 4],
  ['cert sign', 5],
  ['crl sign', 6],
  ['encipher only', 7],
  ['decipher only', 8],
]);

/** Object identifiers in Go's order. */
const extendedKeyUsages: ReadonlyMap<string, string> = new Map([
  ['any', '2.5.29.37.0'],
  ['server auth', '1.3.6.1.5.5.7.3.1'],
  ['client auth', '1.3.6.1.5.5.7.3.2'],
  ['code signing', '1.3.6.1.5.5.7.3.3'],
  ['email protection', '1.3.6.1.5.5.7.3.4'],
  ['s/mime', '1.3.6.1.5.5.7.3.4'],
  ['ipsec end system', '1.3.6.1.5.5.7.3.5'],
  ['ipsec tunnel', '1.3.6.1.5.5.7.3.6'],
  ['ipsec user', '1.3.6.1.5.5.7.3.7'],
  ['timestamping', '1.3.6.1.5.5.7.3.8'],
  ['ocsp signing', '1.3.6.1.5.5.7.3.9'],
  ['microsoft sgc', '1.3.6.1.4.1.311.10.3.3'],
  ['netscape sgc', '2.16.840.1.113730.4.1'],
]);

export interface CertificateUsages {
  /** Bits, from the most significant bit. */
  readonly keyUsage: ReadonlySet<number>;
  /** Object identifiers. */
  readonly extended: readonly string[];
}

/**
 * Returns the extensions for the usages of a request. (authority keyUsagesFromStrings) @throws Error for unknown usages
 */
export function usagesOf(usages: readonly string[]): CertificateUsages {
  const unknown = usages.filter((usage) => !keyUsages.has(usage) && !extendedKeyUsages.has(usage));
  if (unknown.length > 0) {
    throw new Error(`unrecognized usage values: [${unknown.map((usage) => quote(usage)).join(' ')}]`);
  }
  const extended = [...extendedKeyUsages].filter(([usage]) => usages.includes(usage)).map(([, id]) => id);
  return {
    keyUsage: new Set(usages.flatMap((usage) => keyUsages.get(usage) ?? [])),
    extended: [...new Set(extended)],
  };
}
