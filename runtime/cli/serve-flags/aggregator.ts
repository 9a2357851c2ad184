import { boolean, file } from './flag-values.ts';
import type { ServeFlag } from './serve-flag.ts';

/** (kube-apiserver: pkg/controlplane/apiserver/options, cmd/kube-apiserver/app/options) */
export const aggregatorFlags: readonly ServeFlag[] = [
  {
    name: 'aggregator-reject-forwarding-redirect',
    option: 'aggregatorRejectForwardingRedirect',
    value: boolean(true),
    about: 'Respond with 502 if the server of an APIService redirects the client.',
  },
  {
    name: 'enable-aggregator-routing',
    option: 'enableAggregatorRouting',
    value: boolean(false),
    about: 'Pass requests on to an endpoint of the service of an APIService, rather than to its cluster IP.',
  },
  {
    name: 'proxy-client-cert-file',
    option: 'proxyClientCertFile',
    value: file(),
    about: 'PEM file of the client certificate for the servers of APIServices. Read again when it changes.',
  },
  {
    name: 'proxy-client-key-file',
    option: 'proxyClientKeyFile',
    value: file(),
    about: 'PEM file of its key.',
  },
];
