import { serviceDefaults } from '../../server/services-config.ts';
import { count, oneOf, port, text } from './flag-values.ts';
import type { ServeFlag } from './serve-flag.ts';

/** (kube-apiserver: cmd/kube-apiserver/app/options/options.go) */
export const miscFlags: readonly ServeFlag[] = [
  {
    name: 'service-cluster-ip-range',
    option: 'serviceClusterIpRange',
    value: text('CIDR[,CIDR]', serviceDefaults.clusterIPRange),
    about: 'Range of cluster IPs, or two of different families. The first is that of the service kubernetes.',
  },
  {
    name: 'service-node-port-range',
    option: 'serviceNodePortRange',
    value: text('PORT-PORT', serviceDefaults.nodePortRange),
    about: 'Range of node ports, both ends included.',
  },
  {
    name: 'kubernetes-service-node-port',
    option: 'kubernetesServiceNodePort',
    value: port(0),
    about: 'Node port of the service kubernetes. 0: the service has none.',
  },
  {
    name: 'endpoint-reconciler-type',
    option: 'endpointReconcilerType',
    value: oneOf(['lease', 'master-count', 'none'], 'lease'),
    about: 'How the endpoints of the service kubernetes are kept: those of running servers, up to --apiserver-count, or not.',
  },
  {
    name: 'apiserver-count',
    option: 'apiserverCount',
    value: count(1),
    about: 'The most endpoints of the service kubernetes, with --endpoint-reconciler-type=master-count.',
  },
];
