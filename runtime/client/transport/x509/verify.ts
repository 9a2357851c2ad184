import { elementAt } from '../../../machinery/collections/element-at.ts';
import { quote } from '../../../machinery/go/quote.ts';
import { attributeOf, type Certificate, nativeCertificate } from './certificate.ts';
import { hostNameProblem } from './host-name.ts';

/** Options for the verification of a server's chain. (crypto/x509 VerifyOptions) */
export interface VerifyOptions {
  /** The server's certificates after its own. */
  readonly intermediates: readonly Certificate[];
  readonly roots: readonly Certificate[];
  /** A name or an IP address. */
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

const anyUsage = '2.5.29.37.0';
const serverAuth = '1.3.6.1.5.5.7.3.1';
const maxSignatureChecks = 100;

type Chain = readonly Certificate[];

/**
 * Returns the problem of a server's certificate in Go's words; undefined for a trusted one. A certificate among the
 * roots needs no issuer. (crypto/x509 Certificate.Verify)
 */
export function verifyProblem(leaf: Certificate, options: VerifyOptions): string | undefined {
  const problem = leafProblem(leaf, options);
  if (problem !== undefined) return problem;
  if (options.roots.some(({ raw }) => raw.equals(leaf.raw))) return usageProblem([[leaf]]);
  const search = new ChainSearch(options);
  const chains = search.chainsFrom([leaf]);
  return typeof chains === 'string' ? chains : usageProblem(chains);
}

/** Returns the problem of a certificate's validity period or names. */
export function leafProblem(leaf: Certificate, { name, now }: Pick<VerifyOptions, 'name' | 'now'>): string | undefined {
  return validityProblem(leaf, [], now) ?? hostNameProblem(leaf, name);
}

/** (checkChainForKeyUsage) */
function usageProblem(chains: readonly Chain[]): string | undefined {
  const permits = ({ extendedKeyUsages: usages }: Certificate): boolean =>
    usages.length === 0 || usages.includes(anyUsage) || usages.includes(serverAuth);
  if (chains.some((chain) => chain.every(permits))) return undefined;
  return 'x509: certificate specifies an incompatible key usage';
}

/** (isValid) */
function validityProblem(certificate: Certificate, chain: Chain, now: number): string | undefined {
  if (certificate.hasUnhandledCriticalExtension) return 'x509: unhandled critical extension';
  const { notBefore, notAfter, basicConstraints } = certificate;
  const expired = 'x509: certificate has expired or is not yet valid: current time';
  if (now < notBefore) return `${expired} ${localTime(now)} is before ${utcTime(notBefore)}`;
  if (now > notAfter) return `${expired} ${localTime(now)} is after ${utcTime(notAfter)}`;
  if (basicConstraints !== undefined && basicConstraints.maxPathLength >= 0) {
    if (chain.length - 1 > basicConstraints.maxPathLength) return 'x509: too many intermediates for path length constraint';
  }
  return undefined;
}

interface Hint {
  readonly problem: string;
  readonly candidate: Certificate;
}

/** Searches for chains from a certificate to a root. (buildChains) */
class ChainSearch {
  readonly #options: VerifyOptions;
  #signatureChecks = 0;

  constructor(options: VerifyOptions) {
    this.#options = options;
  }

  /** Returns all chains, or the reason why none exists. */
  chainsFrom(chain: Chain): readonly Chain[] | string {
    const child = elementAt(chain, chain.length - 1);
    const found: Chain[] = [];
    let hint: Hint | undefined;
    let latest: string | undefined;
    const { roots, intermediates } = this.#options;
    const candidates = [
      ...parentsOf(child, roots).map((certificate) => ({ certificate, isRoot: true })),
      ...parentsOf(child, intermediates).map((certificate) => ({ certificate, isRoot: false })),
    ];
    for (const { certificate, isRoot } of candidates) {
      this.#signatureChecks += 1;
      if (this.#signatureChecks > maxSignatureChecks) {
        return found.length > 0 ? found : 'x509: signature check attempts limit reached while verifying certificate chain';
      }
      if (chain.some((one) => isSameAuthority(one, certificate))) continue;
      const unsigned = signatureProblem(child, certificate);
      if (unsigned !== undefined) {
        hint ??= { problem: unsigned, candidate: certificate };
        continue;
      }
      latest = this.#authorityProblem(certificate, chain, isRoot);
      if (latest !== undefined) continue;
      if (isRoot) found.push([...chain, certificate]);
      else {
        const longer = this.chainsFrom([...chain, certificate]);
        if (typeof longer === 'string') latest = longer;
        else found.push(...longer);
      }
    }
    return found.length > 0 ? found : (latest ?? unknownAuthority(hint));
  }

  #authorityProblem(certificate: Certificate, chain: Chain, isRoot: boolean): string | undefined {
    const { notBefore, notAfter, basicConstraints } = certificate;
    const { now } = this.#options;
    const isOverdue = now < notBefore || now > notAfter || certificate.hasUnhandledCriticalExtension;
    if (!isOverdue && !isRoot && basicConstraints?.isCA !== true) {
      return 'x509: certificate is not authorized to sign other certificates';
    }
    return validityProblem(certificate, chain, now);
  }
}

/** Returns the certificates with the issuer's name, those with its key first. (findPotentialParents) */
function parentsOf({ issuer, authorityKeyId }: Certificate, pool: readonly Certificate[]): Certificate[] {
  const named = pool.filter(({ subject }) => subject.equals(issuer));
  const rank = ({ subjectKeyId }: Certificate): number => {
    if (subjectKeyId.equals(authorityKeyId)) return 0;
    return (subjectKeyId.length === 0) !== (authorityKeyId.length === 0) ? 1 : 2;
  };
  return named.sort((a, b) => rank(a) - rank(b));
}

/** (alreadyInChain) */
function isSameAuthority(a: Certificate, b: Certificate): boolean {
  if (!a.subject.equals(b.subject) || !a.publicKeyInfo.equals(b.publicKeyInfo)) return false;
  const [one, other] = [a.alternativeNamesExtension, b.alternativeNamesExtension];
  return one === undefined || other === undefined ? one === other : one.equals(other);
}

const insecureAlgorithms: Readonly<Record<string, string>> = {
  '1.2.840.113549.1.1.4': 'MD5-RSA',
  '1.2.840.113549.1.1.5': 'SHA1-RSA',
  '1.2.840.10040.4.3': 'DSA-SHA1',
  '1.2.840.10045.4.1': 'ECDSA-SHA1',
};

const verificationFailures: Readonly<Record<string, string>> = {
  rsa: 'crypto/rsa: verification error',
  'rsa-pss': 'crypto/rsa: verification error',
  ec: 'x509: ECDSA verification failure',
  ed25519: 'x509: Ed25519 verification failure',
};

/** (CheckSignatureFrom) */
function signatureProblem(child: Certificate, parent: Certificate): string | undefined {
  const { version, basicConstraints, canSignCertificates } = parent;
  const isNoAuthority = basicConstraints === undefined ? version === 3 : !basicConstraints.isCA;
  if (isNoAuthority || canSignCertificates === false) {
    return 'x509: invalid signature: parent certificate cannot sign this kind of certificate';
  }
  const insecure = insecureAlgorithms[child.signatureAlgorithm];
  if (insecure !== undefined) return `x509: cannot verify signature: insecure algorithm ${insecure}`;
  try {
    const { publicKey } = nativeCertificate(parent);
    if (nativeCertificate(child).verify(publicKey)) return undefined;
    return verificationFailures[publicKey.asymmetricKeyType ?? ''] ?? unimplemented;
  } catch {
    return unimplemented;
  }
}

const unimplemented = 'x509: cannot verify signature: algorithm unimplemented';

/** (UnknownAuthorityError) */
function unknownAuthority(hint: Hint | undefined): string {
  const text = 'x509: certificate signed by unknown authority';
  if (hint === undefined) return text;
  const { subject, serialNumber } = hint.candidate;
  const name = attributeOf(subject, '2.5.4.3') || attributeOf(subject, '2.5.4.10') || `serial:${serialNumber}`;
  const why = `possibly because of ${quote(hint.problem)} while trying to verify candidate authority certificate`;
  return `${text} (${why} ${quote(name)})`;
}

const utcTime = (time: number): string => `${new Date(time).toISOString().slice(0, 19)}Z`;

/** Formats a time with the offset of the system's time zone. (time.RFC3339) */
function localTime(time: number): string {
  const minutes = -new Date(time).getTimezoneOffset();
  if (minutes === 0) return utcTime(time);
  const two = (value: number): string => String(value).padStart(2, '0');
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const offset = `${minutes < 0 ? '-' : '+'}${two(hours)}:${two(rest)}`;
  return `${utcTime(time + minutes * 60_000).slice(0, -1)}${offset}`;
}
