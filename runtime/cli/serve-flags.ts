import { isIP } from 'node:net';
import { type DurationError, parseMilliseconds } from '../machinery/go/duration.ts';
import type { ServerOptions } from '../server/options.ts';
import { type Flag, type ParsedFlags, UsageError } from './flags.ts';

/** The longest delay of setTimeout, in milliseconds. */
const maxTimerMs = 2 ** 31 - 1;

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

/** The flags of `kubeloom serve`. They have the names of kube-apiserver's flags if it has them. */
export const serveFlags: readonly Flag[] = [
  { name: 'bind-address', type: 'string', value: 'IP', default: '127.0.0.1', about: 'Address to listen on.' },
  {
    name: 'secure-port',
    type: 'string',
    value: 'PORT',
    default: '6443',
    about: 'Port to serve HTTPS on. 0: any free port.',
  },
  {
    name: 'storage',
    type: 'string',
    value: 'lmdb|memory',
    default: 'lmdb',
    about: 'Where to store objects: on disk, or in memory until the server stops.',
  },
  { name: 'data-dir', type: 'string', value: 'DIR', default: 'data', about: 'Folder of the store on disk.' },
  {
    name: 'unsafe-no-fsync',
    type: 'boolean',
    default: 'false',
    about: 'Acknowledge writes before they are on disk. A power failure may lose the last writes. For tests.',
  },
  {
    name: 'compaction-window',
    type: 'string',
    value: 'DURATION',
    default: '5m',
    about: 'How long to keep history for watches and continue tokens.',
  },
  {
    name: 'cert-dir',
    type: 'string',
    value: 'DIR',
    default: 'certs',
    about: 'Folder of the certificates, which are created on the first start.',
  },
  {
    name: 'tls-cert-file',
    type: 'string',
    value: 'FILE',
    about: 'PEM file of the serving certificate with its chain. Default: the certificate in --cert-dir.',
  },
  {
    name: 'tls-private-key-file',
    type: 'string',
    value: 'FILE',
    about: 'PEM file of the private key of --tls-cert-file.',
  },
  {
    name: 'client-ca-file',
    type: 'string',
    value: 'FILE',
    about: 'PEM file of CAs for client certificates, in addition to the CA in --cert-dir.',
  },
  {
    name: 'token-auth-file',
    type: 'string',
    value: 'FILE',
    about: 'CSV file of static tokens: token,user,uid,"group1,group2".',
  },
  {
    name: 'anonymous-auth',
    type: 'boolean',
    default: 'true',
    about:
      'Serve requests without credentials as system:anonymous, but only for /healthz, /livez, /readyz and /version, ' +
      'since every authenticated user is allowed everything. false: reject all of them.',
  },
  {
    name: 'write-kubeconfig',
    type: 'string',
    value: 'FILE',
    about: 'Write an admin kubeconfig to this file when the server is ready.',
  },
  {
    name: 'controllers',
    type: 'list',
    value: 'NAME,...',
    about:
      "Controllers to run: '*' for those that are on by default, NAME to add one, -NAME to remove one. On by default: " +
      'garbage-collector-controller, namespace-controller; off by default: root-ca-certificate-publisher-controller, ' +
      'serviceaccount-controller. (default *)',
  },
  {
    name: 'feature-gates',
    type: 'list',
    value: 'NAME=BOOL,...',
    about:
      'Feature gates to set: AllowUnsafeMalformedObjectDeletion, APIResponseCompression, CBORServingAndStorage, ' +
      'ComponentFlagz, ComponentStatusz, AllAlpha, AllBeta.',
  },
  {
    name: 'runtime-config',
    type: 'list',
    value: 'KEY=BOOL,...',
    about:
      'APIs to enable or disable: api/all, api/ga, api/beta, api/alpha, a group/version or a group/version/resource.',
  },
  {
    name: 'group',
    type: 'list',
    value: 'PATH',
    about: 'Serve the API groups of a package from kubeloom generate, or of a module. May be repeated.',
  },
  {
    name: 'no-builtin',
    type: 'boolean',
    default: 'false',
    about:
      "Of Kubernetes' own API groups, serve only namespaces, events, access control, CRDs, flow control and leases.",
  },
  {
    name: 'enable-priority-and-fairness',
    type: 'boolean',
    default: 'true',
    about: 'Limit requests by FlowSchemas and PriorityLevelConfigurations.',
  },
  {
    name: 'max-requests-inflight',
    type: 'string',
    value: 'NUMBER',
    default: '400',
    about:
      'The most concurrent read requests. With priority and fairness, the two limits add up to the number of seats. 0: no limit.',
  },
  {
    name: 'max-mutating-requests-inflight',
    type: 'string',
    value: 'NUMBER',
    default: '200',
    about: 'The most concurrent mutating requests. 0: no limit.',
  },
  {
    name: 'max-watches-per-user',
    type: 'string',
    value: 'NUMBER',
    default: '10000',
    about: 'The most watches of one user. 0: no limit.',
  },
  {
    name: 'http2-max-streams-per-connection',
    type: 'string',
    value: 'NUMBER',
    default: '0',
    about: 'The most concurrent requests of one HTTP/2 connection. 0: 100.',
  },
  {
    name: 'request-timeout',
    type: 'string',
    value: 'DURATION',
    default: '1m',
    about: 'Timeout of requests, except watches and other long-running requests.',
  },
  {
    name: 'min-request-timeout',
    type: 'string',
    value: 'SECONDS',
    default: '1800',
    about: 'Shortest time, in seconds, that a watch without timeoutSeconds stays open. The longest is twice that.',
  },
  {
    name: 'shutdown-delay-duration',
    type: 'string',
    value: 'DURATION',
    default: '0s',
    about: 'How long to continue serving after /readyz fails on shutdown.',
  },
  {
    name: 'shutdown-drain-timeout',
    type: 'string',
    value: 'DURATION',
    default: '10s',
    about: 'How long running requests have to finish on shutdown.',
  },
  {
    name: 'log-level',
    type: 'string',
    value: logLevels.join('|'),
    default: 'info',
    about: 'Minimum level of the JSON log on stderr.',
  },
];

/** The value of each flag as text. Lists are in brackets, as pflag prints them. */
export function flagValues(flags: ParsedFlags): Record<string, string> {
  const textOf = ({ name, type }: Flag): string =>
    type === 'list' ? `[${flags.list(name).join(',')}]` : (flags.string(name) ?? '');
  return Object.fromEntries(serveFlags.map((flag) => [flag.name, textOf(flag)]));
}

/** @throws UsageError for invalid values */
export function serverOptions(flags: ParsedFlags): ServerOptions {
  return {
    bindAddress: address(flags, 'bind-address'),
    port: port(flags, 'secure-port'),
    storage: oneOf(flags, 'storage', ['lmdb', 'memory']) as ServerOptions['storage'],
    dataDir: flags.string('data-dir'),
    unsafeNoFsync: flags.boolean('unsafe-no-fsync'),
    compactionWindow: duration(flags, 'compaction-window', 1000),
    certDir: flags.string('cert-dir'),
    tlsCertFile: flags.string('tls-cert-file'),
    tlsPrivateKeyFile: flags.string('tls-private-key-file'),
    clientCaFile: flags.string('client-ca-file'),
    tokenAuthFile: flags.string('token-auth-file'),
    anonymousAuth: flags.boolean('anonymous-auth'),
    writeKubeconfig: flags.string('write-kubeconfig'),
    controllers: flags.list('controllers').length === 0 ? undefined : flags.list('controllers'),
    featureGates: flags.list('feature-gates'),
    runtimeConfig: flags.list('runtime-config'),
    builtin: !flags.boolean('no-builtin'),
    priorityAndFairness: flags.boolean('enable-priority-and-fairness'),
    maxRequestsInFlight: count(flags, 'max-requests-inflight'),
    maxMutatingRequestsInFlight: count(flags, 'max-mutating-requests-inflight'),
    maxWatchesPerUser: count(flags, 'max-watches-per-user'),
    http2MaxStreamsPerConnection: count(flags, 'http2-max-streams-per-connection'),
    requestTimeout: duration(flags, 'request-timeout', 1),
    minRequestTimeout: seconds(flags, 'min-request-timeout'),
    shutdownDelay: duration(flags, 'shutdown-delay-duration'),
    drainTimeout: duration(flags, 'shutdown-drain-timeout'),
    logLevel: oneOf(flags, 'log-level', logLevels) as ServerOptions['logLevel'],
  };
}

function invalid(name: string, value: string, why: string): UsageError {
  return new UsageError(`invalid argument ${JSON.stringify(value)} for --${name}: ${why}`);
}

function port(flags: ParsedFlags, name: string): number {
  const text = flags.string(name) ?? '';
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > 65535) throw invalid(name, text, 'must be between 0 and 65535');
  return value;
}

function count(flags: ParsedFlags, name: string): number {
  const text = flags.string(name) ?? '';
  if (!/^\d{1,9}$/.test(text)) throw invalid(name, text, 'must be a non-negative number');
  return Number(text);
}

function seconds(flags: ParsedFlags, name: string): number {
  const text = flags.string(name) ?? '';
  const value = Number(text);
  if (!/^\d+$/.test(text) || value === 0 || value * 2000 > maxTimerMs) {
    throw invalid(name, text, 'must be a number of seconds between 1 and 1073741');
  }
  return value;
}

function address(flags: ParsedFlags, name: string): string {
  const text = flags.string(name) ?? '';
  if (isIP(text) === 0) throw invalid(name, text, 'must be an IP address');
  return text;
}

function oneOf(flags: ParsedFlags, name: string, values: readonly string[]): string {
  const text = flags.string(name) ?? '';
  if (!values.includes(text)) throw invalid(name, text, `must be one of ${values.join(', ')}`);
  return text;
}

/** Parses a duration between `min` milliseconds and the longest delay of a timer. */
function duration(flags: ParsedFlags, name: string, min = 0): number {
  const text = flags.string(name) ?? '';
  let milliseconds: number;
  try {
    milliseconds = parseMilliseconds(text);
  } catch (error) {
    throw invalid(name, text, (error as DurationError).message);
  }
  if (milliseconds < min) throw invalid(name, text, min === 0 ? 'must not be negative' : `must be at least ${min}ms`);
  if (milliseconds > maxTimerMs) throw invalid(name, text, 'must be at most 596h');
  return milliseconds;
}
