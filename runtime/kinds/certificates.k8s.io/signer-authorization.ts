import type { Authorizer } from '../../authorization/authorizer.ts';
import type { UserInfo } from '../../machinery/user-info.ts';

/** Whether a user may do something for a signer, by its name or by its domain. (pkg/certauthorization IsAuthorizedForSignerName) */
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
