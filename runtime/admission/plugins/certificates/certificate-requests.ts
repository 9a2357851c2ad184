import type { CertificateSigningRequest } from '../../../../generated/v1.35/certificates.k8s.io/v1/types.ts';
import type { Attributes } from '../../../machinery/admission.ts';
import type { GroupResource } from '../../../machinery/gvk.ts';
import { equalJson } from '../../../machinery/json/equality.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import { privilegedGroup } from '../../../machinery/user-info.ts';
import { parseCertificateRequest } from '../../../machinery/x509/certificate-request.ts';
import { newForbidden } from '../../errors.ts';
import type { PluginFactory } from '../../plugin.ts';
import { requireAllowedForSigner } from './signer-permissions.ts';

const isCertificateRequest = ({ group, resource }: GroupResource): boolean =>
  group === 'certificates.k8s.io' && resource === 'certificatesigningrequests';

const requestOf = (attributes: Attributes): Unvalidated<CertificateSigningRequest> =>
  attributes.object as Unvalidated<CertificateSigningRequest>;
const oldRequestOf = (attributes: Attributes): Unvalidated<CertificateSigningRequest> =>
  attributes.oldObject as Unvalidated<CertificateSigningRequest>;

/** Refuses approvals by users who may not `approve` for the signer. (plugin/pkg/admission/certificates/approval) */
export const newCertificateApproval: PluginFactory = ({ authorizer }) => ({
  handles: (operation, definition, subresource) => operation === 'UPDATE' && subresource === 'approval' && isCertificateRequest(definition),
  validate(attributes) {
    const { spec } = oldRequestOf(attributes);
    const action = { verb: 'approve', what: 'approve requests with' } as const;
    return requireAllowedForSigner(authorizer, attributes, action, spec?.signerName ?? '');
  },
});

/** Refuses certificates and conditions from users who may not `sign` for the signer. (plugin/pkg/admission/certificates/signing) */
export const newCertificateSigning: PluginFactory = ({ authorizer }) => ({
  handles: (operation, definition, subresource) => operation === 'UPDATE' && subresource === 'status' && isCertificateRequest(definition),
  validate(attributes) {
    const old = oldRequestOf(attributes);
    const { status } = requestOf(attributes);
    const isSame =
      (status?.certificate ?? '') === (old.status?.certificate ?? '') && equalJson(status?.conditions ?? [], old.status?.conditions ?? []);
    if (isSame) return;
    const action = { verb: 'sign', what: 'sign requests with' } as const;
    return requireAllowedForSigner(authorizer, attributes, action, old.spec?.signerName ?? '');
  },
});

const clientSigner = 'kubernetes.io/kube-apiserver-client';

/**
 * Refuses certificate requests for the signer kubernetes.io/kube-apiserver-client with the organization system:masters.
 * (plugin/pkg/admission/certificates/subjectrestriction)
 */
export const newCertificateSubjectRestriction: PluginFactory = () => ({
  handles: (operation, definition, subresource) => operation === 'CREATE' && subresource === '' && isCertificateRequest(definition),
  validate(attributes) {
    const { spec } = requestOf(attributes);
    if (spec?.signerName !== clientSigner) return;
    // validation has parsed the request
    if (!parseCertificateRequest(spec.request ?? '').organizations.includes(privilegedGroup)) return;
    throw newForbidden(attributes, `use of ${clientSigner} signer with ${privilegedGroup} group is not allowed`);
  },
});
