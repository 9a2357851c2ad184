import { defaultClusterIPRanges, defaultNodePortRange, portRangeText } from '../kinds/core/service/services-config.ts';
import { count, oneOf, port, text } from './flag-values.ts';
import type { OptionRow } from './option-row.ts';

/** The default options, as text. */
export const serviceDefaults = {
  clusterIPRange: defaultClusterIPRanges,
  nodePortRange: portRangeText(defaultNodePortRange),
} as const;

/** (kube-apiserver: cmd/kube-apiserver/app/options/options.go) */
export const miscOptions: readonly OptionRow[] = [
  {
    option: 'serviceClusterIpRange',
    flag: 'service-cluster-ip-range',
    value: text('CIDR[,CIDR]', serviceDefaults.clusterIPRange),
    about: 'Range of cluster IPs, or two of different families. The first is that of the service kubernetes.',
    doc:
      'The range of cluster IPs, or two ranges of different families separated by a comma. The first range has the service ' +
      '`kubernetes`. Default: `10.96.0.0/12,fd00:10:96::/112`.',
  },
  {
    option: 'serviceNodePortRange',
    flag: 'service-node-port-range',
    value: text('PORT-PORT', serviceDefaults.nodePortRange),
    about: 'Range of node ports, both ends included.',
    doc: 'The range of node ports, with both ends. Default: `30000-32767`.',
  },
  {
    option: 'kubernetesServiceNodePort',
    flag: 'kubernetes-service-node-port',
    value: port(0),
    about: 'Node port of the service kubernetes. 0: the service has none.',
    doc: 'The node port of the service `kubernetes`; 0, the default, for none.',
  },
  {
    option: 'endpointReconcilerType',
    flag: 'endpoint-reconciler-type',
    value: oneOf(['lease', 'master-count', 'none'], 'lease'),
    about: 'Endpoints of the service kubernetes: those of running servers (lease), of up to --apiserver-count servers, or none.',
    doc: 'The way to keep the endpoints of the service `kubernetes`: `lease` (the default), `master-count`, or `none`.',
  },
  {
    option: 'apiserverCount',
    flag: 'apiserver-count',
    value: count(1),
    about: 'The most endpoints of the service kubernetes, with --endpoint-reconciler-type=master-count.',
    doc: 'The most addresses that `master-count` keeps. Default: 1.',
  },
];
