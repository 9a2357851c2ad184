import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { dnsSubdomain } from '../../machinery/validation/name-formats.ts';
import { OptionError } from '../../options/server-options.ts';
import type { KeyPair } from '../x509-certificate.ts';

/** A value of --tls-sni-cert-key. (cliflag.NamedCertKey) */
export interface NamedCertKey {
  readonly certFile: string;
  readonly keyFile: string;
  /** Empty for the names in the certificate. */
  readonly names: readonly string[];
}

/**
 * Parses `foo.crt,foo.key` or `foo.crt,foo.key:*.foo.com,foo.com`.
 *
 * @throws OptionError
 */
export function parseNamedCertKey(value: string): NamedCertKey {
  const colon = value.indexOf(':');
  const files = (colon < 0 ? value : value.slice(0, colon)).split(',').map((file) => file.trim());
  const names = colon < 0 ? undefined : value.slice(colon + 1).trim();
  const invalid = (why: string): OptionError =>
    new OptionError(`invalid argument ${JSON.stringify(value)} for "--tls-sni-cert-key" flag: ${why}`);
  if (names === '') throw invalid('empty names list is not allowed');
  const [certFile, keyFile, ...others] = files;
  if (certFile === undefined || keyFile === undefined || others.length > 0)
    throw invalid('expected comma separated certificate and key file paths');
  return { certFile, keyFile, names: names?.split(',').map((name) => name.trim()) ?? [] };
}

/** A certificate for clients that request certain names. */
export interface NamedCertificate {
  readonly pair: KeyPair;
  /** See NamedCertKey. */
  readonly names: readonly string[];
}

/**
 * Returns the certificate of each name. Explicit names take precedence over names in certificates, and earlier
 * certificates over later ones. (dynamiccertificates BuildNamedCertificates)
 */
export function byName<T>(certificates: readonly NamedCertificate[], serve: (pair: KeyPair) => T): ReadonlyMap<string, T> {
  const [explicit, extracted] = [new Map<string, T>(), new Map<string, T>()];
  for (const { pair, names } of [...certificates].reverse()) {
    const served = serve(pair);
    for (const name of names) explicit.set(name.toLowerCase(), served);
    if (names.length === 0) for (const name of certificateNames(pair)) extracted.set(name.toLowerCase(), served);
  }
  return new Map([...extracted, ...explicit]);
}

/**
 * Finds the certificate of the name itself, or of the name with `*` as its first label. (crypto/tls
 * Config.getCertificate)
 */
export function servedFor<T>(named: ReadonlyMap<string, T>, serverName: string): T | undefined {
  const name = serverName.toLowerCase().replace(/\.+$/, '');
  const dot = name.indexOf('.');
  return named.get(name) ?? named.get(dot < 0 ? '*' : `*${name.slice(dot)}`);
}

/** Returns the DNS names, and the common name if it is a host name. */
function certificateNames({ certificate }: KeyPair): string[] {
  const { subject = '', subjectAltName = '' } = new X509Certificate(certificate);
  const commonName = /^CN=(.*)$/m.exec(subject ?? '')?.[1] ?? '';
  const isName = commonName === '*' || dnsSubdomain(commonName.replace(/^\*\./, '')).length === 0;
  const dnsNames = [...(subjectAltName ?? '').matchAll(/(?:^|, )DNS:([^,"]+)/g)].map(([, name = '']) => name);
  return [...(isName && isIP(commonName) === 0 ? [commonName] : []), ...dnsNames];
}
