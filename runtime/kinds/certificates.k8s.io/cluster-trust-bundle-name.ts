import { nameErrors } from '../../resources/metadata-validation.ts';

/**
 * The messages about the name of a bundle, which begins with its signer: `example.com:signer:name`. Those about the
 * format are of the rest of the name. (pkg/apis/core/validation, ValidateClusterTrustBundleName)
 *
 * @param signerName "" for a bundle without one
 * @param isPrefix the text is what a name is generated from
 */
export function clusterTrustBundleName(name: string, signerName: string, isPrefix = false): string[] {
  if (signerName === '' && name.includes(':')) {
    return ['ClusterTrustBundle without signer name must not have ":" in its name'];
  }
  const prefix = signerName === '' ? '' : `${signerName.replaceAll('/', ':')}:`;
  if (name.startsWith(prefix)) return nameErrors('dns-subdomain', name.slice(prefix.length), isPrefix);
  return [`ClusterTrustBundle for signerName ${signerName} must be named with prefix ${prefix}`];
}
