import { nameErrors } from '../../resources/metadata-validation.ts';

/**
 * Returns the errors of a bundle's name, which begins with its signer: `example.com:signer:name`. Errors of the format
 * concern the rest of the name. (pkg/apis/core/validation, ValidateClusterTrustBundleName)
 *
 * @param signerName "" for a bundle without a signer
 * @param isPrefix true for a generateName
 */
export function clusterTrustBundleName(name: string, signerName: string, isPrefix = false): string[] {
  if (signerName === '' && name.includes(':')) {
    return ['ClusterTrustBundle without signer name must not have ":" in its name'];
  }
  const prefix = signerName === '' ? '' : `${signerName.replaceAll('/', ':')}:`;
  if (name.startsWith(prefix)) return nameErrors('dns-subdomain', name.slice(prefix.length), isPrefix);
  return [`ClusterTrustBundle for signerName ${signerName} must be named with prefix ${prefix}`];
}
