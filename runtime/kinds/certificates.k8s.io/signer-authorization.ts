import type { Authorizer } from '../../authorization/authorizer.ts';
import type { UserInfo } from '../../machinery/user-info.ts';

/**
 * Reports whether a user has a verb for a signer, by the signer's name or by its domain. (pkg/certauthorization
 * IsAuthorizedForSignerName)
 */
export async function isAuthorizedForSignerName(
  authorizer: Authorizer,
  user: UserInfo,
  verb: 'approve' | 'sign' | 'attest',
  signerName: string,
): Promise<boolean> {
  const [domain] = signerName.split('/');
  for (const name of [signerName, `${domain}/*`]) {
    const { decision } = await authorizer.authorize({
      user,
      verb,
      name,
      isResourceRequest: true,
      path: '',
      group: 'certificates.k8s.io',
      version: '*',
      resource: 'signers',
      subresource: '',
      namespace: '',
    });
    if (decision === 'allow') return true;
  }
  return false;
}
