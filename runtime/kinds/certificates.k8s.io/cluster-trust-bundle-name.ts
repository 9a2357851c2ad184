import { dnsSubdomain } from '../../machinery/validation/name-formats.ts';

/**
 * The messages about the name of a bundle, which begins with its signer: `example.com:signer:name`. Those about the
 * format are of the rest of the name. (pkg/apis/core/validation, ValidateClusterTrustBundleName)
 *
 * @param signerName "" for a bundle without one
 */
export function clusterTrustBundleName(name: string, signerName: string): string[] {
  if (signerName === '') {
    if (name.includes(':')) return ['ClusterTrustBundle without signer name must not have ":" in its name'];
    return dnsSubdomain(name);
  }
  const prefix = `${signerName.replaceAll('/', ':')}:`;
  if (name.startsWith(prefix)) return dnsSubdomain(name.slice(prefix.length));
  return [`ClusterTrustBundle for signerName ${signerName} must be named with prefix ${prefix}`];
}
