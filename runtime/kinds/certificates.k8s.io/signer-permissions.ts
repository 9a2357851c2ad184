import type * as certificates from '../../../generated/v1.35/certificates.k8s.io/v1/types.ts';
import type { ClusterTrustBundle } from '../../../generated/v1.35/certificates.k8s.io/v1beta1/types.ts';
import type { Authorizer } from '../../authorization/authorizer.ts';
import { forbidden } from '../../machinery/errors/status.ts';
import { quote } from '../../machinery/go/quote.ts';
import { equalJson } from '../../machinery/json/equality.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import { privilegedGroup } from '../../machinery/user-info.ts';
import { parseCertificateRequest } from '../../machinery/x509/certificate-request.ts';
import type { WriteContext } from '../../resources/rest.ts';

type CertificateSigningRequest = Unvalidated<certificates.CertificateSigningRequest>;

const clientSigner = 'kubernetes.io/kube-apiserver-client';

/**
 * Refuses requests for certificates that would be in the group system:masters, whatever they ask for besides.
 * (plugin/pkg/admission/certificates/subjectrestriction)
 *
 * @throws StatusError 403
 */
export function restrictSubject({ metadata, spec }: CertificateSigningRequest, { definition }: WriteContext): void {
  if (spec?.signerName !== clientSigner || !organizationsOf(spec.request ?? '').includes(privilegedGroup)) return;
  throw forbidden(
    definition,
    metadata?.name ?? '',
    `use of ${clientSigner} signer with ${privilegedGroup} group is not allowed`,
  );
}

/** None of a request that cannot be parsed: validation refuses it. */
function organizationsOf(request: string): readonly string[] {
  try {
    return parseCertificateRequest(request).organizations;
  } catch {
    return [];
  }
}

/**
 * Refuses approvals by users who may not `approve` for the signer, and changes of the status by users who may not `sign`
 * for it. (plugin/pkg/admission/certificates/approval, signing)
 *
 * @throws StatusError 403
 */
export async function authorizeForSigner(
  authorizer: Authorizer,
  { request, old }: { readonly request: CertificateSigningRequest; readonly old: CertificateSigningRequest },
  context: WriteContext,
): Promise<void> {
  const { internal, subresource, definition } = context;
  if (internal || (subresource !== 'approval' && subresource !== 'status')) return;
  if (subresource === 'status' && isUnsigned(request, old)) return;
  const verb = subresource === 'approval' ? 'approve' : 'sign';
  const signerName = request.spec?.signerName ?? '';
  if (await isAllowedForSigner(authorizer, { verb, signerName }, context)) return;
  const message = `user not permitted to ${verb} requests with signerName ${quote(signerName)}`;
  throw forbidden(definition, request.metadata?.name ?? '', message);
}

/**
 * Refuses bundles by users who may not `attest` for their signer. (plugin/pkg/admission/certificates/ctbattest)
 *
 * @throws StatusError 403
 */
export async function authorizeAttestation(
  authorizer: Authorizer,
  { metadata, spec }: Unvalidated<ClusterTrustBundle>,
  context: WriteContext,
): Promise<void> {
  const signerName = spec?.signerName ?? '';
  if (context.internal || signerName === '') return;
  if (await isAllowedForSigner(authorizer, { verb: 'attest', signerName }, context)) return;
  const message = `user not permitted to attest for signerName ${quote(signerName)}`;
  throw forbidden(context.definition, metadata?.name ?? '', message);
}

/** By the name of the signer or by its domain. (IsAuthorizedForSignerName) */
async function isAllowedForSigner(
  authorizer: Authorizer,
  { verb, signerName }: { readonly verb: string; readonly signerName: string },
  context: WriteContext,
): Promise<boolean> {
  const [domain] = signerName.split('/');
  for (const name of [signerName, `${domain}/*`]) {
    if (await isAllowed(authorizer, { verb, name }, context)) return true;
  }
  return false;
}

/** Whether an update of the status changes neither certificate nor conditions. */
const isUnsigned = (request: CertificateSigningRequest, old: CertificateSigningRequest): boolean =>
  (request.status?.certificate ?? '') === (old.status?.certificate ?? '') &&
  equalJson(request.status?.conditions ?? [], old.status?.conditions ?? []);

async function isAllowed(
  authorizer: Authorizer,
  { verb, name }: { readonly verb: string; readonly name: string },
  { user }: WriteContext,
): Promise<boolean> {
  const { decision } = await authorizer.authorize({
    ...{ user, verb, name, isResourceRequest: true, path: '', group: 'certificates.k8s.io', version: '*' },
    ...{ resource: 'signers', subresource: '', namespace: '' },
  });
  return decision === 'allow';
}
