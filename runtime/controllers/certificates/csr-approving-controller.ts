import type { CertificateSigningRequest } from '../../../generated/v1.35/certificates.k8s.io/v1/types.ts';
import type { Authorizer } from '../../authorization/authorizer.ts';
import { kubeletClientProblem, signerNames } from '../../kinds/certificates.k8s.io/signer-rules.ts';
import { type CertificateRequest, parseCertificateRequest } from '../../machinery/x509/certificate-request.ts';
import type { Controller } from '../../reconcile/controller.ts';
import type { ControllerContext } from '../controller-context.ts';
import { CertificateController, requests, type StatusChange } from './certificate-controller.ts';

interface Recognizer {
  recognizes(request: CertificateSigningRequest, parsed: CertificateRequest): boolean;
  /** The subresource that the requester must be allowed to create. */
  readonly subresource: string;
  readonly message: string;
}

const recognizers: readonly Recognizer[] = [
  {
    recognizes: (request, parsed) => request.spec.username === parsed.commonName && isNodeClient(request, parsed),
    subresource: 'selfnodeclient',
    message: 'Auto approving self kubelet client certificate after SubjectAccessReview.',
  },
  {
    recognizes: isNodeClient,
    subresource: 'nodeclient',
    message: 'Auto approving kubelet client certificate after SubjectAccessReview.',
  },
];

function isNodeClient({ spec }: CertificateSigningRequest, parsed: CertificateRequest): boolean {
  return spec.signerName === signerNames.kubeletClient && kubeletClientProblem(parsed, spec.usages ?? []) === undefined;
}

/** Approves certificate requests of authorized kubelets. (pkg/controller/certificates/approver) */
export function csrApprovingController(context: ControllerContext): Controller {
  return new CertificateController(context, 'certificatesigningrequest-approving-controller', (request) =>
    approve(request, context.authorizer),
  );
}

async function approve(request: CertificateSigningRequest, authorizer: Authorizer): Promise<StatusChange | undefined> {
  const { spec, status = {} } = request;
  const { conditions = [] } = status;
  if (conditions.some(({ type }) => type === 'Approved' || type === 'Denied')) return undefined;
  const parsed = parseCertificateRequest(spec.request ?? '');
  for (const recognizer of recognizers) {
    if (!recognizer.recognizes(request, parsed) || !(await isAllowed(request, recognizer, authorizer))) continue;
    const condition = { type: 'Approved', status: 'True', reason: 'AutoApproved', message: recognizer.message };
    return { subresource: 'approval', status: { ...status, conditions: [...conditions, condition] } };
  }
  return undefined;
}

async function isAllowed({ spec }: CertificateSigningRequest, { subresource }: Recognizer, authorizer: Authorizer): Promise<boolean> {
  const { username = '', uid = '', groups = [], extra = {} } = spec;
  const { decision } = await authorizer.authorize({
    user: { name: username, uid, groups, extra },
    ...requests,
    subresource,
    verb: 'create',
    version: '*',
    namespace: '',
    name: '',
    isResourceRequest: true,
    path: '',
  });
  return decision === 'allow';
}
