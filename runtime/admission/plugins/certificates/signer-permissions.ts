import type { Authorizer } from '../../../authorization/authorizer.ts';
import { isAuthorizedForSignerName } from '../../../kinds/certificates.k8s.io/signer-authorization.ts';
import type { Attributes } from '../../../machinery/admission.ts';
import { quote } from '../../../machinery/go/quote.ts';
import { newForbidden } from '../../errors.ts';

interface SignerAction {
  readonly verb: 'approve' | 'sign' | 'attest';
  /** The action for the error message: `approve requests with`. */
  readonly what: string;
}

/**
 * Refuses a write if the user may not use the signer for it.
 *
 * @throws StatusError 403
 */
export async function requireAllowedForSigner(
  authorizer: Authorizer,
  attributes: Attributes,
  { verb, what }: SignerAction,
  signerName: string,
): Promise<void> {
  if (await isAuthorizedForSignerName(authorizer, attributes.user, verb, signerName)) return;
  throw newForbidden(attributes, `user not permitted to ${what} signerName ${quote(signerName)}`);
}
