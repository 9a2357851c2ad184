import type { ConfigMap } from '../../../generated/v1.35/core/v1/types.ts';
import { equalJson } from '../../machinery/json/equality.ts';
import type { Controller } from '../../reconcile/controller.ts';
import type { ControllerContext } from '../controller-context.ts';
import { type NamespaceObject, NamespaceObjectController } from './namespace-object-controller.ts';

const descriptionAnnotation = 'kubernetes.io/description';
const description =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.';

/**
 * Publishes the CA bundle of the server's certificate in the ConfigMap kube-root-ca.crt of every namespace. (kubernetes
 * pkg/controller/certificates/rootcacertpublisher)
 */
export function rootCACertPublisher(context: ControllerContext): Controller {
  const data = { 'ca.crt': context.rootCertificates };
  const desired: NamespaceObject<ConfigMap> = {
    resource: 'configmaps',
    name: 'kube-root-ca.crt',
    serviceAccount: 'root-ca-cert-publisher',
    content: { metadata: { annotations: { [descriptionAnnotation]: description } }, data },
    restore(object) {
      const { annotations } = object.metadata;
      if (equalJson(object.data, data) && annotations?.[descriptionAnnotation]) return;
      object.data = { ...data };
      object.metadata.annotations = { ...annotations, [descriptionAnnotation]: description };
    },
  };
  return new NamespaceObjectController(context, desired);
}
