import type { CertificateRequest } from '../../machinery/x509/certificate-request.ts';

/** The signers of this server. (k8s.io/api/certificates/v1) */
export const signerNames = {
  kubeletServing: 'kubernetes.io/kubelet-serving',
  kubeletClient: 'kubernetes.io/kube-apiserver-client-kubelet',
  kubeAPIServerClient: 'kubernetes.io/kube-apiserver-client',
  legacyUnknown: 'kubernetes.io/legacy-unknown',
} as const;

export type SignerName = (typeof signerNames)[keyof typeof signerNames];

type RequestRule = (request: CertificateRequest, usages: readonly string[]) => string | undefined;

/** Returns the violation of a signer's rules; undefined if there is none. (getCSRVerificationFuncForSignerName) */
export const requestRules: Readonly<Record<SignerName, RequestRule>> = {
  [signerNames.kubeletServing]: kubeletServingProblem,
  [signerNames.kubeletClient]: kubeletClientProblem,
  [signerNames.kubeAPIServerClient]: (_, usages) => clientUsagesProblem(usages),
  // this signer signs every approved request
  [signerNames.legacyUnknown]: () => undefined,
};

const servingUsages = ['digital signature', 'key encipherment', 'server auth'];
const clientUsages = ['client auth', 'digital signature', 'key encipherment'];

/** (pkg/apis/certificates ValidateKubeletServingCSR) */
function kubeletServingProblem(request: CertificateRequest, usages: readonly string[]): string | undefined {
  if (!isOfNodes(request)) return notOfNodes;
  if (request.dnsNames.length === 0 && request.ipAddresses.length === 0) return 'DNS or IP subjectAltName is required';
  if (request.emailAddresses.length > 0) return 'Email subjectAltNames are not allowed';
  if (request.uris.length > 0) return 'URI subjectAltNames are not allowed';
  if (!matches(usages, servingUsages)) return `usages did not match [${servingUsages.join(' ')}]`;
  return isNode(request) ? undefined : notNode;
}

/** (pkg/apis/certificates ValidateKubeletClientCSR) */
export function kubeletClientProblem(request: CertificateRequest, usages: readonly string[]): string | undefined {
  if (!isOfNodes(request)) return notOfNodes;
  if (request.dnsNames.length > 0) return 'DNS subjectAltNames are not allowed';
  if (request.emailAddresses.length > 0) return 'Email subjectAltNames are not allowed';
  if (request.ipAddresses.length > 0) return 'IP subjectAltNames are not allowed';
  if (request.uris.length > 0) return 'URI subjectAltNames are not allowed';
  if (!isNode(request)) return notNode;
  return matches(usages, clientUsages) ? undefined : `usages did not match [${clientUsages.join(' ')}]`;
}

const notOfNodes = 'subject organization is not system:nodes';
const notNode = 'subject common name does not begin with system:node:';

const isOfNodes = ({ organizations }: CertificateRequest): boolean => organizations.length === 1 && organizations[0] === 'system:nodes';
const isNode = ({ commonName }: CertificateRequest): boolean => commonName.startsWith('system:node:');

/** Reports whether the usages are the required ones. Keys other than RSA need no key encipherment. */
function matches(usages: readonly string[], required: readonly string[]): boolean {
  const given = [...new Set(usages)].sort().join();
  return [required, required.filter((usage) => usage !== 'key encipherment')].some((list) => list.join() === given);
}

/** (validAPIServerClientUsages) */
function clientUsagesProblem(usages: readonly string[]): string | undefined {
  const other = usages.find((usage) => !clientUsages.includes(usage));
  if (other !== undefined) return `invalid usage for client certificate: ${other}`;
  return usages.includes('client auth') ? undefined : 'missing required usage for client certificate: client auth';
}
