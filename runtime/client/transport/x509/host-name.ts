import { addressText, parseAddress } from '../../../machinery/scalars/netip.ts';
import { attributeOf, type Certificate } from './certificate.ts';

/** The maximum number of listed names. More are only counted. */
const maxNames = 100;
const commonName = '2.5.4.3';

/**
 * Returns the reason, in Go's words, why a certificate does not match a name or an IP address. Only alternative names
 * count. (crypto/x509 VerifyHostname)
 */
export function hostNameProblem(certificate: Certificate, host: string): string | undefined {
  const { dnsNames, ipAddresses } = certificate.alternativeNames;
  const ip = ipBytes(host.replace(/^\[(.*)\]$/, '$1'));
  if (ip !== undefined) {
    if (ipAddresses.some((one) => sixteenBytes(one).equals(ip))) return undefined;
    return mismatch(certificate, host.replace(/^\[(.*)\]$/, '$1'));
  }
  const name = host.toLowerCase();
  const isValid = isHostName(name.replace(/\.$/, ''), false);
  const matches = (pattern: string): boolean =>
    isValid && isHostName(pattern, true)
      ? matchesPattern(pattern, name)
      : pattern !== '' && pattern !== '.' && pattern.toLowerCase() === name;
  return dnsNames.some(matches) ? undefined : mismatch(certificate, host);
}

/** (HostnameError) */
function mismatch(certificate: Certificate, host: string): string {
  const { dnsNames, ipAddresses } = certificate.alternativeNames;
  if (certificate.alternativeNamesExtension === undefined) {
    if (matchesPattern(attributeOf(certificate.subject, commonName) ?? '', host.toLowerCase())) {
      return 'x509: certificate relies on legacy Common Name field, use SANs instead';
    }
  }
  const isIP = ipBytes(host) !== undefined;
  if (isIP && ipAddresses.length === 0) {
    return `x509: cannot validate certificate for ${host} because it doesn't contain any IP SANs`;
  }
  const names = isIP ? ipAddresses.map(ipText) : dnsNames;
  if (names.length >= maxNames) {
    return `x509: certificate is valid for ${names.length} ${isIP ? 'IP SANs' : 'names'}, but none matched ${host}`;
  }
  const valid = names.join(', ');
  if (valid === '') return `x509: certificate is not valid for any names, but wanted to match ${host}`;
  return `x509: certificate is valid for ${valid}, not ${host}`;
}

/** Reports whether a name matches a pattern. The pattern's first label may be `*`. */
function matchesPattern(pattern: string, name: string): boolean {
  if (pattern === '' || name === '') return false;
  const labels = name.replace(/\.$/, '').split('.');
  const wanted = pattern.toLowerCase().split('.');
  if (wanted.length !== labels.length) return false;
  return wanted.every((label, at) => (at === 0 && label === '*') || label === labels[at]);
}

/** (RFC 6125, and underscores) */
function isHostName(text: string, isPattern: boolean): boolean {
  if (text === '' || text === '*') return false;
  return text.split('.').every((label, at) => (isPattern && at === 0 && label === '*') || /^[\w][\w-]*$/.test(label));
}

/** Returns sixteen bytes; undefined for any other text. */
function ipBytes(text: string): Buffer | undefined {
  try {
    const { version, bits } = parseAddress(text);
    const hex = (version === 4 ? bits | (0xffffn << 32n) : bits).toString(16).padStart(32, '0');
    return Buffer.from(hex, 'hex');
  } catch {
    return undefined;
  }
}

const mappedPrefix = Buffer.from('00000000000000000000ffff', 'hex');

const sixteenBytes = (ip: Buffer): Buffer => (ip.length === 4 ? Buffer.concat([mappedPrefix, ip]) : ip);

function ipText(ip: Buffer): string {
  const isV4 = ip.length === 4 || ip.subarray(0, 12).equals(mappedPrefix);
  return isV4
    ? [...ip.subarray(-4)].join('.')
    : addressText({ version: 6, bits: BigInt(`0x${ip.toString('hex')}`) } as Parameters<typeof addressText>[0]);
}
