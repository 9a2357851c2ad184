import type { PodCertificateRequest } from '../../../../generated/v1.35/certificates.k8s.io/v1beta1/types.ts';
import type { Attributes } from '../../../machinery/admission.ts';
import { isStatusError, plainError } from '../../../machinery/errors/status.ts';
import { quote } from '../../../machinery/go/quote.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import { newForbidden } from '../../errors.ts';
import { isMirrorPod } from '../../resources.ts';
import type { RuleContext } from './listers.ts';

/**
 * Lets a node ask for certificates of its own pods, under their service accounts. A uid that differs may be late, so that the node
 * tries again after a 500.
 */
export function admitPodCertificateRequest(node: string, attributes: Attributes, { listers }: RuleContext): void {
  const { operation, subresource, object, namespace } = attributes;
  if (operation !== 'CREATE') throw newForbidden(attributes, `unexpected operation ${operation}`);
  if (subresource !== '') throw newForbidden(attributes, `unexpected subresource ${subresource}`);
  const { spec = {} } = object as Unvalidated<PodCertificateRequest>;
  const { nodeName = '', nodeUID = '', podName = '', podUID = '', serviceAccountName = '', serviceAccountUID = '' } = spec;
  const [pod, account] = [quote(`${namespace}/${podName}`), quote(`${namespace}/${serviceAccountName}`)];
  const start = `PodCertificateRequest for pod ${pod}`;

  if (nodeName !== node) {
    throw newForbidden(
      attributes,
      `PodCertificateRequest.Spec.NodeName=${quote(nodeName)}, which is not the requesting node ${quote(node)}`,
    );
  }
  const { uid: foundNode = '' } = named(`node ${quote(nodeName)}`, () => listers.node(nodeName)).metadata;
  if (foundNode !== nodeUID) {
    throw plainError(`${start} names node UID ${quote(nodeUID)}, inconsistent with the running node (${quote(foundNode)})`);
  }

  const found = named(`pod ${pod}`, () => listers.pod(namespace, podName));
  const { uid: foundPod = '' } = found.metadata;
  if (foundPod !== podUID) {
    throw plainError(`${start} contains pod UID (${quote(podUID)}) which differs from running pod ${quote(foundPod)}`);
  }
  if (found.spec?.nodeName !== nodeName) {
    throw newForbidden(attributes, `pod ${pod} is not running on node ${quote(nodeName)} named in the PodCertificateRequest`);
  }
  if (isMirrorPod(found)) throw newForbidden(attributes, `pod ${pod} is a mirror pod`);

  const { serviceAccountName: foundName = '' } = found.spec;
  if (foundName !== serviceAccountName) {
    const differs = `contains serviceAccountName (${quote(serviceAccountName)}) that differs from running pod (${quote(foundName)})`;
    throw newForbidden(attributes, `${start} ${differs}`);
  }
  const { uid: foundAccount = '' } = named(`service account ${account}`, () => listers.serviceAccount(namespace, foundName)).metadata;
  if (foundAccount === serviceAccountUID) return;
  const differs = `which differs from the running service account (${quote(foundAccount)})`;
  throw plainError(`${start} names service account UID ${quote(serviceAccountUID)}, ${differs}`);
}

/** Looks up an object that the request names. */
function named<T>(what: string, find: () => T): T {
  try {
    return find();
  } catch (error) {
    if (!isStatusError(error)) throw error;
    throw plainError(`while retrieving ${what} named in the PodCertificateRequest: ${error.message}`);
  }
}
