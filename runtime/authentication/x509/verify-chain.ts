import type { X509Certificate } from 'node:crypto';
import { parseCertificate } from '../../client/transport/x509/certificate.ts';
import { elementAt } from '../../machinery/collections/element-at.ts';
import { AuthenticationError } from '../authenticator.ts';
import type { CertificatePool } from './ca-bundle.ts';

/** The maximum number of certificates between a client's and the root. */
const maxIntermediates = 8;
/** The maximum number of signature checks for one chain. (Go crypto/x509 maxChainSignatureChecks) */
const maxSignatureChecks = 100;

const clientAuth = '1.3.6.1.5.5.7.3.2';
const anyExtendedKeyUsage = '2.5.29.37.0';

/** The period in which every certificate of a chain is valid, in milliseconds since the epoch. */
export interface ChainValidity {
  readonly from: number;
  readonly to: number;
}

/**
 * Finds a chain from a client certificate to a root of the pool. All its certificates must allow client authentication,
 * if they restrict their usage. TLS has verified the client's chain with all CAs of the server. This check
 * distinguishes the pools, and notices changes of the CAs since then. (Go crypto/x509 Certificate.Verify)
 *
 * @throws AuthenticationError
 */
export function verifyChain(leaf: X509Certificate, pool: CertificatePool): ChainValidity {
  const intermediates = intermediatesOf(leaf);
  let checks = 0;
  const chain = chainFrom([leaf]);
  if (chain === undefined) throw new AuthenticationError('x509: certificate signed by unknown authority');
  if (!chain.every(isForClients)) throw new AuthenticationError('x509: certificate specifies an incompatible key usage');
  return {
    from: Math.max(...chain.map(({ validFrom }) => Date.parse(validFrom))),
    to: Math.min(...chain.map(({ validTo }) => Date.parse(validTo))),
  };

  function chainFrom(chain: readonly X509Certificate[]): readonly X509Certificate[] | undefined {
    const last = elementAt(chain, chain.length - 1);
    if (pool.certificates.some(({ raw }) => raw.equals(last.raw))) return chain;
    const root = pool.certificates.find((candidate) => isIssuedBy(last, candidate, candidate.ca || !isVersion3(candidate)));
    if (root !== undefined) return [...chain, root];
    if (chain.length > maxIntermediates) return undefined;
    for (const candidate of intermediates) {
      if (chain.includes(candidate) || !isIssuedBy(last, candidate, candidate.ca)) continue;
      const found = chainFrom([...chain, candidate]);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate, isAuthority: boolean): boolean {
    if (!isAuthority || !certificate.checkIssued(issuer) || checks >= maxSignatureChecks) return false;
    checks++;
    return certificate.verify(issuer.publicKey);
  }
}

/** Earlier versions have no extensions, so their roots may issue certificates. (Go CheckSignatureFrom) */
const isVersion3 = ({ raw }: X509Certificate): boolean => parseCertificate(raw).version === 3;

/** Returns the certificates that the client sent besides its own. */
function intermediatesOf(leaf: X509Certificate): X509Certificate[] {
  const found: X509Certificate[] = [];
  for (let one = leaf.issuerCertificate; one !== undefined && found.length < maxIntermediates; ) {
    found.push(one);
    one = one.issuerCertificate;
  }
  return found;
}

function isForClients({ keyUsage }: X509Certificate): boolean {
  // Node's name for the extended key usage
  return keyUsage === undefined || keyUsage.includes(clientAuth) || keyUsage.includes(anyExtendedKeyUsage);
}
