import { equalJson } from '../../machinery/json/equality.ts';
import type { Controller, ControllerParts } from '../controller.ts';
import { NamespaceDefaults } from './namespace-defaults.ts';

const annotation = 'kubernetes.io/description';
/** What every cluster says here. */
const description =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.';

/**
 * The config map kube-root-ca.crt of every namespace, with the authorities of the server's certificate.
 * (kubernetes pkg/controller/certificates/rootcacertpublisher)
 */
export function rootCertificatePublisher(parts: ControllerParts): Controller {
  const data = { 'ca.crt': parts.rootCertificates };
  return new NamespaceDefaults(parts, {
    resource: 'configmaps',
    name: 'kube-root-ca.crt',
    serviceAccount: 'root-ca-cert-publisher',
    content: { metadata: { annotations: { [annotation]: description } }, data },
    keep(object) {
      const { annotations } = object.metadata;
      if (equalJson(object.data, data) && annotations?.[annotation]) return;
      object.data = { ...data };
      object.metadata.annotations = { ...annotations, [annotation]: description };
    },
  });
}
