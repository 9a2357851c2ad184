import type { SecureVersion } from 'node:tls';
import { OptionError } from '../options/option-error.ts';

/** The suites of TLS 1.3, which cannot be chosen, as in Go. */
const tls13 = ['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256'] as const;

/** Go's default suites for TLS 1.2, in Go's order, with OpenSSL's names. (crypto/tls CipherSuites) */
const secure: Readonly<Record<string, string>> = {
  TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256: 'ECDHE-ECDSA-AES128-GCM-SHA256',
  TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256: 'ECDHE-RSA-AES128-GCM-SHA256',
  TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384: 'ECDHE-ECDSA-AES256-GCM-SHA384',
  TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384: 'ECDHE-RSA-AES256-GCM-SHA384',
  TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256: 'ECDHE-ECDSA-CHACHA20-POLY1305',
  TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256: 'ECDHE-RSA-CHACHA20-POLY1305',
  TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA: 'ECDHE-ECDSA-AES128-SHA',
  TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA: 'ECDHE-RSA-AES128-SHA',
  TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA: 'ECDHE-ECDSA-AES256-SHA',
  TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA: 'ECDHE-RSA-AES256-SHA',
};

/** Former names of suites. */
const legacy: Readonly<Record<string, string>> = {
  TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305: 'ECDHE-RSA-CHACHA20-POLY1305',
  TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305: 'ECDHE-ECDSA-CHACHA20-POLY1305',
};

/**
 * Suites that Go supports but calls insecure. This runtime has none with RC4 and 3DES. (crypto/tls
 * InsecureCipherSuites)
 */
const insecure: Readonly<Record<string, string>> = {
  TLS_RSA_WITH_AES_128_CBC_SHA: 'AES128-SHA',
  TLS_RSA_WITH_AES_256_CBC_SHA: 'AES256-SHA',
  TLS_RSA_WITH_AES_128_CBC_SHA256: 'AES128-SHA256',
  TLS_RSA_WITH_AES_128_GCM_SHA256: 'AES128-GCM-SHA256',
  TLS_RSA_WITH_AES_256_GCM_SHA384: 'AES256-GCM-SHA384',
  TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256: 'ECDHE-ECDSA-AES128-SHA256',
  TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256: 'ECDHE-RSA-AES128-SHA256',
};

/** The values of --tls-cipher-suites, in the order of its help. */
export const cipherSuiteNames: readonly string[] = [
  ...[...tls13, ...Object.keys(secure), ...Object.keys(legacy)].sort(),
  ...Object.keys(insecure).sort(),
];

export interface CipherSuites {
  /** The suites in OpenSSL's notation. */
  readonly ciphers: string;
  /** The chosen suites that Go calls insecure. */
  readonly insecure: readonly string[];
}

/**
 * @param names default: Go's default suites
 * @throws OptionError for unknown names (cliflag.TLSCipherSuites)
 */
export function cipherSuites(names: readonly string[] = []): CipherSuites {
  const openssl: string[] = names.length === 0 ? Object.values(secure) : [];
  for (const name of names) {
    const known = secure[name] ?? legacy[name] ?? insecure[name];
    if (known !== undefined) openssl.push(known);
    else if (!(tls13 as readonly string[]).includes(name)) {
      throw new OptionError(`Cipher suite ${name} not supported or doesn't exist`);
    }
  }
  return { ciphers: [...tls13, ...openssl].join(':'), insecure: names.filter((name) => Object.hasOwn(insecure, name)) };
}

const versions: Readonly<Record<string, SecureVersion>> = {
  VersionTLS10: 'TLSv1',
  VersionTLS11: 'TLSv1.1',
  VersionTLS12: 'TLSv1.2',
  VersionTLS13: 'TLSv1.3',
};

/** The values of --tls-min-version. */
export const tlsVersionNames: readonly string[] = Object.keys(versions);

/**
 * @param name default: VersionTLS12
 * @throws OptionError for an unknown name (cliflag.TLSVersion)
 */
export function tlsVersion(name = 'VersionTLS12'): SecureVersion {
  const version = Object.hasOwn(versions, name) ? versions[name] : undefined;
  if (version === undefined) throw new OptionError(`unknown tls version ${JSON.stringify(name)}`);
  return version;
}
