import { gatesInUse } from '../../machinery/feature-gates/gates-in-use.ts';
import { controllersBy } from '../../server/controllers-by.ts';
import { boolean, commaSeparated, count, duration, file, float, list, seconds, text } from './flag-values.ts';
import type { ServeFlag } from './serve-flag.ts';

/** (kube-apiserver: pkg/server/options/server_run_options.go) */
export const genericFlags: readonly ServeFlag[] = [
  {
    name: 'advertise-address',
    option: 'advertiseAddress',
    value: text('IP'),
    about:
      'Address under which others in the cluster reach the server. Default: --bind-address, or an address of the host ' +
      'if that is a loopback address or none in particular.',
  },
  {
    name: 'external-hostname',
    option: 'externalHostname',
    value: text('HOST'),
    about: 'Host in URLs of this server, as in the discovery of OpenID Connect.',
  },
  {
    name: 'request-timeout',
    option: 'requestTimeout',
    value: duration('1m', 1),
    about: 'Timeout of requests, except watches and other long-running requests.',
  },
  {
    name: 'min-request-timeout',
    option: 'minRequestTimeout',
    value: seconds(1800),
    about: 'Shortest time, in seconds, that a watch without timeoutSeconds stays open. The longest is twice that.',
  },
  {
    name: 'max-requests-inflight',
    option: 'maxRequestsInFlight',
    value: count(400),
    about: 'The most concurrent read requests. With priority and fairness, the two limits add up to the number of seats. 0: no limit.',
  },
  {
    name: 'max-mutating-requests-inflight',
    option: 'maxMutatingRequestsInFlight',
    value: count(200),
    about: 'The most concurrent mutating requests. 0: no limit.',
  },
  {
    name: 'max-watches-per-user',
    option: 'maxWatchesPerUser',
    value: count(10_000),
    about: 'The most watches of one user. 0: no limit.',
  },
  {
    name: 'shutdown-delay-duration',
    option: 'shutdownDelay',
    value: duration('0s'),
    about: 'How long to continue serving after /readyz fails on shutdown.',
  },
  {
    name: 'shutdown-drain-timeout',
    option: 'drainTimeout',
    value: duration('10s'),
    about: 'How long running requests have to finish on shutdown.',
  },
  {
    name: 'shutdown-send-retry-after',
    option: 'shutdownSendRetryAfter',
    value: boolean(false),
    about: 'Answer requests that come while running ones finish with 429 and Retry-After, instead of refusing connections.',
  },
  {
    name: 'goaway-chance',
    option: 'goawayChance',
    value: float(0),
    about: 'The part of HTTP/2 requests whose connection is ended, so that clients spread over servers. At most 0.02.',
  },
  {
    name: 'cors-allowed-origins',
    option: 'corsAllowedOrigins',
    value: commaSeparated('REGEXP,...'),
    about: 'Origins whose pages may use the API. Each expression must contain ^ or //, and $ or :.',
  },
  {
    name: 'strict-transport-security-directives',
    option: 'strictTransportSecurityDirectives',
    value: commaSeparated('DIRECTIVE,...'),
    about: 'Directives of the header Strict-Transport-Security: max-age=31536000, includeSubDomains, preload.',
  },
  {
    name: 'feature-gates',
    option: 'featureGates',
    value: list('NAME=BOOL,...'),
    about:
      `Feature gates to set. Those of Kubernetes are known. These change something: ${Object.keys(gatesInUse).join(', ')}, ` +
      'AllAlpha, AllBeta.',
  },
  {
    name: 'write-kubeconfig',
    option: 'writeKubeconfig',
    value: file(),
    about: 'Write an admin kubeconfig to this file when the server is ready.',
  },
  {
    name: 'controllers',
    option: 'controllers',
    value: list('NAME,...'),
    about:
      "Controllers to run: '*' for those that are on by default, NAME to add one, -NAME to remove one. " +
      `On by default: ${controllersBy(true)}; with --simulate: ${controllersBy('simulated')}; ` +
      `off by default: ${controllersBy(false)}. (default *)`,
  },
];

/** (kube-apiserver: pkg/server/options/feature.go) */
export const featureFlags: readonly ServeFlag[] = [
  {
    name: 'enable-priority-and-fairness',
    option: 'priorityAndFairness',
    value: boolean(true),
    about: 'Limit requests by FlowSchemas and PriorityLevelConfigurations.',
  },
];
