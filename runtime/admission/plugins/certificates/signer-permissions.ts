import type { Authorizer } from '../../../authorization/authorizer.ts';
import type { Attributes } from '../../../machinery/admission.ts';
import { quote } from '../../../machinery/go/quote.ts';
import { newForbidden } from '../../errors.ts';

interface SignerAction {
  readonly verb: 'approve' | 'sign' | 'attest';
  /** As `approve requests with`, for the error. */
  readonly what: string;
}

/**
 * Refuses what the user may not do for a signer, by its name or by its domain. (pkg/certauthorization IsAuthorizedForSignerName)
 *
 * @throws StatusError 403
 */
export async function requireAllowedForSigner(
  authorizer: Authorizer,
  attributes: Attributes,
  { verb, what }: SignerAction,
  signerName: string,
): Promise<void> {
  const [domain] = signerName.split('/');
  for (const name of [signerName, `${domain}/*`]) {
    const { decision } = await authorizer.authorize({
      ...{ user: attributes.user, verb, name, isResourceRequest: true, path: '' },
      ...{ group: 'certificates.k8s.io', version: '*', resource: 'signers', subresource: '', namespace: '' },
    });
    if (decision === 'allow') return;
  }
  throw newForbidden(attributes, `user not permitted to ${what} signerName ${quote(signerName)}`);
}
