import { boolean, file } from './flag-values.ts';
import type { OptionRow } from './option-row.ts';

/** (kube-apiserver: pkg/controlplane/apiserver/options, cmd/kube-apiserver/app/options) */
export const aggregatorOptions: readonly OptionRow[] = [
  {
    option: 'aggregatorRejectForwardingRedirect',
    flag: 'aggregator-reject-forwarding-redirect',
    value: boolean(true),
    about: 'Respond with 502 if the server of an APIService redirects the client.',
    doc: 'Whether redirects by aggregated servers become a 502. Default: true.',
  },
  {
    option: 'enableAggregatorRouting',
    flag: 'enable-aggregator-routing',
    value: boolean(false),
    about: 'Pass requests on to an endpoint of the service of an APIService, rather than to its cluster IP.',
    doc: 'Whether requests go to an endpoint of the service instead of its cluster IP. Default: false.',
  },
  {
    option: 'proxyClientCertFile',
    flag: 'proxy-client-cert-file',
    value: file(),
    about: 'PEM file of the client certificate for the servers of APIServices. Read again when it changes.',
    doc:
      'PEM files of the client certificate and key that aggregated servers trust to name users. Read again when they change. ' +
      'Default: none.',
  },
  {
    option: 'proxyClientKeyFile',
    flag: 'proxy-client-key-file',
    value: file(),
    about: 'PEM file of its key.',
  },
];
