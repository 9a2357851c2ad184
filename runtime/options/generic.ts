import { gatesInUse } from '../machinery/feature-gates/gates-in-use.ts';
import * as types from '../machinery/options/option-type.ts';
import { controllersBy } from '../reconcile/controller-selection.ts';
import { boolean, commaSeparated, count, duration, file, float, list, seconds, text } from './flag-values.ts';
import type { OptionRow } from './option-row.ts';
import { bytesOrNone, flagWhole } from './option-types.ts';

/** (kube-apiserver: pkg/server/options/server_run_options.go) */
export const genericOptions: readonly OptionRow[] = [
  {
    option: 'advertiseAddress',
    flag: 'advertise-address',
    value: text('IP'),
    about:
      'Address under which others in the cluster reach the server. Default: --bind-address, or an address of the host ' +
      'if --bind-address is a loopback or unspecified address.',
    doc:
      "The server's address for others in the cluster. Default: `bindAddress`, or if it is a loopback or unspecified address, " +
      "the first address of the host's network interfaces.",
  },
  {
    option: 'externalHostname',
    flag: 'external-hostname',
    value: text('HOST'),
    about: 'Host in URLs of this server, as in the discovery of OpenID Connect.',
    doc: "The host in this server's URLs, for example in OpenID discovery. Default: `advertiseAddress`, if set.",
  },
  {
    option: 'requestTimeout',
    flag: 'request-timeout',
    value: duration('1m', 1),
    about: 'Timeout of requests, except watches and other long-running requests.',
    doc: 'The timeout of requests that are not long-running, in milliseconds. Default: one minute.',
  },
  {
    option: 'minRequestTimeout',
    flag: 'min-request-timeout',
    value: seconds(1800),
    about: 'Shortest time, in seconds, that a watch without timeoutSeconds stays open. The longest is twice that.',
    doc: 'Seconds that watches without timeoutSeconds last at least; they last at most twice as long. Default: 1,800.',
  },
  {
    option: 'maxRequestsInFlight',
    flag: 'max-requests-inflight',
    value: count(400),
    check: flagWhole,
    about: 'The most concurrent read requests. With priority and fairness, the two limits add up to the number of seats. 0: no limit.',
    doc: 'The most concurrent read requests. Default: 400. With priority and fairness, the two limits add up to the number of ' + 'seats.',
  },
  {
    option: 'maxMutatingRequestsInFlight',
    flag: 'max-mutating-requests-inflight',
    value: count(200),
    check: flagWhole,
    about: 'The most concurrent mutating requests. 0: no limit.',
    doc: 'The most concurrent mutating requests. Default: 200.',
  },
  {
    option: 'maxWatchesPerUser',
    flag: 'max-watches-per-user',
    value: count(10_000),
    about: 'The most watches of one user. 0: no limit.',
    doc: 'The most watches and other long-running requests of one user; 0 for no limit. Default: 10,000.',
  },
  {
    option: 'shutdownDelay',
    flag: 'shutdown-delay-duration',
    value: duration('0s'),
    about: 'How long to continue serving after /readyz fails on shutdown.',
    doc: 'Milliseconds between the failure of /readyz and the closing of the port. Default: 0.',
  },
  {
    option: 'drainTimeout',
    flag: 'shutdown-drain-timeout',
    value: duration('10s'),
    about: 'How long running requests have to finish on shutdown.',
    doc: 'Milliseconds for running requests to finish when the server stops. Default: 10 s.',
  },
  {
    option: 'shutdownSendRetryAfter',
    flag: 'shutdown-send-retry-after',
    value: boolean(false),
    about: 'While running requests finish, respond to new ones with 429 and Retry-After instead of refusing connections.',
    doc: 'Whether new requests to a draining server get a 429 with Retry-After. Default: false, new connections are refused.',
  },
  {
    option: 'goawayChance',
    flag: 'goaway-chance',
    value: float(0),
    check: types.number(),
    about: 'The share of HTTP/2 requests whose connection ends, which spreads clients over servers. At most 0.02.',
    doc: 'The share of HTTP/2 requests whose connection ends with a GOAWAY, up to 0.02. Default: 0.',
  },
  {
    option: 'corsAllowedOrigins',
    flag: 'cors-allowed-origins',
    value: commaSeparated('REGEXP,...'),
    about: 'Origins whose pages may use the API. Each expression must contain ^ or //, and $ or :.',
    doc: 'Regular expressions of origins whose pages may use the API. Default: none.',
  },
  {
    option: 'strictTransportSecurityDirectives',
    flag: 'strict-transport-security-directives',
    value: commaSeparated('DIRECTIVE,...'),
    about: 'Directives of the header Strict-Transport-Security: max-age=31536000, includeSubDomains, preload.',
    doc: 'Directives of Strict-Transport-Security: `max-age=31536000`, `includeSubDomains`, `preload`. Default: no header.',
  },
  {
    option: 'featureGates',
    flag: 'feature-gates',
    value: list('NAME=BOOL,...'),
    about:
      `Feature gates to set. All of Kubernetes' gates are accepted. These have an effect: ${Object.keys(gatesInUse).join(', ')}, ` +
      'AllAlpha, AllBeta.',
    doc: 'For example `APIResponseCompression=false`.',
  },
  {
    option: 'writeKubeconfig',
    flag: 'write-kubeconfig',
    value: file(),
    about: 'Write an admin kubeconfig to this file when the server is ready.',
    doc: 'Path of the admin kubeconfig, which is written when the server is ready. Default: it is not written.',
  },
  {
    option: 'controllers',
    flag: 'controllers',
    value: list('NAME,...'),
    about:
      "Controllers to run: '*' for the default controllers, NAME to add one, -NAME to remove one. " +
      `On by default: ${controllersBy(true)}; with --simulate: ${controllersBy('simulated')}; ` +
      `off by default: ${controllersBy(false)}. (default *)`,
    doc:
      'For example `*`, `-garbage-collector-controller`, `serviceaccount-token-controller`. Default: `*`, the controllers that ' +
      '`kubeloom serve --help` lists as on by default, and with `simulate` all except serviceaccount-token-controller.',
  },
];

/** (kube-apiserver: pkg/server/options/feature.go) */
export const featureOptions: readonly OptionRow[] = [
  {
    option: 'priorityAndFairness',
    flag: 'enable-priority-and-fairness',
    value: boolean(true),
    about: 'Limit requests by FlowSchemas and PriorityLevelConfigurations.',
    doc: 'Whether FlowSchemas and PriorityLevelConfigurations limit requests. If not, two plain limits do. Default: true.',
  },
  {
    option: 'workerThreshold',
    check: bytesOrNone,
    type: 'number',
    doc:
      'The least bytes of a body, or of the object that it changes, for which a write runs on a worker thread. Default: 64 ' +
      'KiB. With Infinity, all requests run on the event loop, and requests that would block it are rejected.',
  },
];
