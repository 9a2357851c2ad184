import type { CertificateSigningRequest } from '../../../../generated/v1.35/certificates.k8s.io/v1/types.ts';
import type { Attributes } from '../../../machinery/admission.ts';
import { messageOf } from '../../../machinery/errors/message-of.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import { parseCertificateRequest } from '../../../machinery/x509/certificate-request.ts';
import { newForbidden } from '../../errors.ts';

const kubeletSigners = ['kubernetes.io/kubelet-serving', 'kubernetes.io/kube-apiserver-client-kubelet'];

/** Lets a node request kubelet certificates in its own name only. */
export function admitCertificateSigningRequest(node: string, attributes: Attributes): void {
  if (attributes.operation !== 'CREATE') return;
  const { spec } = attributes.object as Unvalidated<CertificateSigningRequest>;
  if (!kubeletSigners.includes(spec?.signerName ?? '')) return;
  if (commonNameOf(spec?.request ?? '', attributes) === `system:node:${node}`) return;
  throw newForbidden(attributes, `can only create a node CSR with CN=system:node:${node}`);
}

function commonNameOf(request: string, attributes: Attributes): string {
  try {
    return parseCertificateRequest(request).commonName;
  } catch (error) {
    throw newForbidden(attributes, `unable to parse csr: ${messageOf(error)}`);
  }
}
