import { describeFlags, type Flag, type ParsedFlags, UsageError } from '../../machinery/options/flags.ts';
import { describeServeFlags, serveFlags } from '../serve-flags.ts';

/** Defaults of kube-apiserver that differ from those of `kubeloom serve`. */
const defaults: Readonly<Record<string, string>> = { 'bind-address': '0.0.0.0', 'cert-dir': '/var/run/kubernetes' };

/** A flag of kube-apiserver that is accepted without an effect, since its effect would not be observable here. */
interface InertFlag {
  readonly name: string;
  readonly type: Flag['type'];
  /** The only accepted value. Default: any. */
  readonly only?: string;
  readonly why: string;
}

const inert = (type: Flag['type'], why: string, names: string): InertFlag[] => names.split(' ').map((name) => ({ name, type, why }));

const inertFlags: readonly InertFlag[] = [
  { name: 'allow-privileged', type: 'boolean', only: 'true', why: 'Privileged containers are always allowed.' },
  { name: 'enable-garbage-collector', type: 'boolean', only: 'true', why: 'Deletions always prepare its work.' },
  { name: 'disable-http2-serving', type: 'boolean', only: 'false', why: 'HTTP/2 is always served.' },
  { name: 'storage-backend', type: 'string', only: 'etcd3', why: 'The API of etcd is the third.' },
  ...inert('boolean', 'Reads always come from the watch cache.', 'watch-cache'),
  ...inert('string', 'The watch cache has no fixed size.', 'default-watch-cache-size'),
  ...inert('list', 'The watch cache has no fixed size.', 'watch-cache-sizes'),
  ...inert('string', 'Deletions of collections choose that themselves.', 'delete-collection-workers'),
  ...inert('boolean', 'There are no profiles of Go.', 'profiling contention-profiling'),
  ...inert('boolean', 'There are no logs at /logs.', 'enable-logs-handler'),
  ...inert('string', 'For --log-level.', 'v vmodule logging-format log-flush-frequency'),
  ...inert('string', 'There is one format of logs.', 'log-json-info-buffer-size log-text-info-buffer-size'),
  ...inert('boolean', 'There is one format of logs.', 'log-json-split-stream log-text-split-stream'),
  ...inert('list', 'No metric is hidden.', 'show-hidden-metrics-for-version disabled-metrics'),
  ...inert('string', '/livez succeeds from the first second on.', 'livez-grace-period'),
  ...inert('boolean', 'The server listens when it is ready.', 'send-retry-after-while-not-ready-once'),
  ...inert('string', 'Watches end at once when the server stops.', 'shutdown-watch-termination-grace-period'),
  ...inert('string', 'The store opens or fails at once.', 'storage-initialization-timeout'),
  ...inert('boolean', 'Nobody else shares the address.', 'permit-address-sharing permit-port-sharing'),
  ...inert('string', 'No connection is throttled.', 'max-connection-bytes-per-sec'),
  ...inert('string', 'For a feature gate that is off.', 'peer-ca-file peer-advertise-ip peer-advertise-port'),
];

/** The flags of kube-apiserver, and all other flags of `kubeloom serve`. */
export const kubeAPIServerFlags: readonly Flag[] = [
  ...serveFlags.map((flag) => ({ ...flag, default: defaults[flag.name] ?? flag.default })),
  ...inertFlags.map(({ name, type }) => ({ name, type, about: '' })),
];

/** @throws UsageError for a value of an inert flag that would have an effect */
export function checkInertFlags(flags: ParsedFlags): void {
  for (const { name, only, why } of inertFlags) {
    const given = only === undefined ? undefined : flags.string(name);
    if (given === undefined || given === only) continue;
    throw new UsageError(`invalid argument ${JSON.stringify(given)} for --${name}: must be ${only}. ${why}`);
  }
}

/** Returns the flags for --help, each at the start of a line, where envtest looks for `--insecure-port`. */
export function describeKubeAPIServerFlags(): string {
  const described = inertFlags.map(({ name, type, only, why }) => ({ name, type, value: only, about: why }));
  return `${describeServeFlags(true)}\nFlags without effect:\n\n${describeFlags(described)}`;
}
