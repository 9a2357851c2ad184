import { isIP } from 'node:net';
import { type DurationError, parseDuration } from '../machinery/go/duration.ts';
import type { ServerOptions } from '../server/options.ts';
import { type Flag, type ParsedFlags, UsageError } from './flags.ts';

/** setTimeout counts milliseconds in 31 bits. */
const longestTimer = 2 ** 31 - 1;

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

/** Flags of `kubeloom serve`, named as kube-apiserver names them where it has them. */
export const serveFlags: readonly Flag[] = [
  { name: 'bind-address', type: 'string', value: 'IP', default: '127.0.0.1', about: 'Address to listen on.' },
  {
    name: 'secure-port',
    type: 'string',
    value: 'PORT',
    default: '6443',
    about: 'Port to serve HTTPS on; 0 takes any free one.',
  },
  {
    name: 'storage',
    type: 'string',
    value: 'lmdb|memory',
    default: 'lmdb',
    about: 'Where objects are kept: on disk, or in memory until the server ends.',
  },
  { name: 'data-dir', type: 'string', value: 'DIR', default: 'data', about: 'Folder of the store on disk.' },
  {
    name: 'unsafe-no-fsync',
    type: 'boolean',
    default: 'false',
    about: 'Answer writes before they are on disk. A power cut may lose the last ones; for tests.',
  },
  {
    name: 'compaction-window',
    type: 'string',
    value: 'DURATION',
    default: '5m',
    about: 'History kept for watches and continue tokens.',
  },
  {
    name: 'cert-dir',
    type: 'string',
    value: 'DIR',
    default: 'certs',
    about: 'Folder of the certificates; they are made on the first start.',
  },
  {
    name: 'tls-cert-file',
    type: 'string',
    value: 'FILE',
    about: 'Serving certificate with its chain, PEM, in place of the one in --cert-dir.',
  },
  { name: 'tls-private-key-file', type: 'string', value: 'FILE', about: 'Its private key, PEM.' },
  {
    name: 'client-ca-file',
    type: 'string',
    value: 'FILE',
    about: 'Authorities for client certificates, PEM, besides the one in --cert-dir.',
  },
  {
    name: 'token-auth-file',
    type: 'string',
    value: 'FILE',
    about: 'Static tokens, CSV: token,user,uid,"group1,group2".',
  },
  {
    name: 'anonymous-auth',
    type: 'boolean',
    default: 'true',
    about:
      'Answer requests without credentials, as system:anonymous: for /healthz, /livez, /readyz and /version alone, ' +
      'since all who are let in may do everything. false: for nothing.',
  },
  {
    name: 'write-kubeconfig',
    type: 'string',
    value: 'FILE',
    about: 'Write an admin kubeconfig here once the server is ready.',
  },
  {
    name: 'controllers',
    type: 'list',
    value: 'NAME,...',
    about:
      "Controllers to run: '*' for those on by default, NAME or -NAME. On by default: garbage-collector-controller, " +
      'namespace-controller; off: root-ca-certificate-publisher-controller, serviceaccount-controller. (default *)',
  },
  {
    name: 'feature-gates',
    type: 'list',
    value: 'NAME=BOOL,...',
    about:
      'Features to switch: AllowUnsafeMalformedObjectDeletion, APIResponseCompression, CBORServingAndStorage, AllAlpha, AllBeta.',
  },
  {
    name: 'runtime-config',
    type: 'list',
    value: 'KEY=BOOL,...',
    about: 'APIs to switch: api/all, api/ga, api/beta, api/alpha, a group/version or a group/version/resource.',
  },
  {
    name: 'group',
    type: 'list',
    value: 'PATH',
    about: 'Serve the API groups of a package that kubeloom generate wrote, or of a module. May be repeated.',
  },
  {
    name: 'no-builtin',
    type: 'boolean',
    default: 'false',
    about: "Of Kubernetes' groups serve only namespaces, events, access control, CRDs, flow control and leases.",
  },
  {
    name: 'enable-priority-and-fairness',
    type: 'boolean',
    default: 'true',
    about: 'Share out what the server can do by FlowSchemas and PriorityLevelConfigurations.',
  },
  {
    name: 'max-requests-inflight',
    type: 'string',
    value: 'NUMBER',
    default: '400',
    about:
      'Reading requests at once; with priority and fairness, both limits add up to the seats to share. 0: no limit.',
  },
  {
    name: 'max-mutating-requests-inflight',
    type: 'string',
    value: 'NUMBER',
    default: '200',
    about: 'Other requests at once.',
  },
  {
    name: 'max-watches-per-user',
    type: 'string',
    value: 'NUMBER',
    default: '10000',
    about: 'Watches that one user may have open. 0: no limit.',
  },
  {
    name: 'http2-max-streams-per-connection',
    type: 'string',
    value: 'NUMBER',
    default: '0',
    about: 'Requests that one HTTP/2 connection may have open. 0: 100.',
  },
  {
    name: 'request-timeout',
    type: 'string',
    value: 'DURATION',
    default: '1m',
    about: 'Longest a request may take; watches are not limited.',
  },
  {
    name: 'min-request-timeout',
    type: 'string',
    value: 'SECONDS',
    default: '1800',
    about: 'Least time that a watch stays open when its client names none; twice as long at most.',
  },
  {
    name: 'shutdown-delay-duration',
    type: 'string',
    value: 'DURATION',
    default: '0s',
    about: 'How long to go on serving after /readyz says no.',
  },
  {
    name: 'shutdown-drain-timeout',
    type: 'string',
    value: 'DURATION',
    default: '10s',
    about: 'How long running requests get to finish.',
  },
  {
    name: 'log-level',
    type: 'string',
    value: logLevels.join('|'),
    default: 'info',
    about: 'Least important lines of the JSON log on stderr.',
  },
];

/** @throws UsageError for a value that is not of its flag's kind */
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
  if (!/^\d{1,9}$/.test(text)) throw invalid(name, text, 'must be a number that is not negative');
  return Number(text);
}

function seconds(flags: ParsedFlags, name: string): number {
  const text = flags.string(name) ?? '';
  const value = Number(text);
  if (!/^\d+$/.test(text) || value === 0 || value * 2000 > longestTimer) {
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

/** Between `least` milliseconds and the longest that a timer can wait. */
function duration(flags: ParsedFlags, name: string, least = 0): number {
  const text = flags.string(name) ?? '';
  let milliseconds: number;
  try {
    milliseconds = parseDuration(text);
  } catch (error) {
    throw invalid(name, text, (error as DurationError).message);
  }
  if (milliseconds < least)
    throw invalid(name, text, least === 0 ? 'must not be negative' : `must be at least ${least}ms`);
  if (milliseconds > longestTimer) throw invalid(name, text, 'must be at most 596h');
  return milliseconds;
}
