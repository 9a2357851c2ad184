import { describeFlags, type Flag, parseFlags, UsageError } from '../../machinery/options/flags.ts';
import { endSignal } from '../end-signal.ts';

const clientURLs: Flag = {
  name: 'listen-client-urls',
  type: 'list',
  value: 'URL,...',
  default: 'http://localhost:2379',
  about: 'Where to listen for clients.',
};

/** Flags of etcd without an effect here, since nothing is stored and there are no peers. */
const flagsWithoutEffect = [
  'advertise-client-urls',
  'auto-compaction-mode',
  'auto-compaction-retention',
  'backend-batch-interval',
  'backend-batch-limit',
  'data-dir',
  'election-timeout',
  'enable-pprof',
  'feature-gates',
  'heartbeat-interval',
  'initial-advertise-peer-urls',
  'initial-cluster',
  'initial-cluster-state',
  'initial-cluster-token',
  'initial-election-tick-advance',
  'listen-peer-urls',
  'log-format',
  'log-level',
  'log-outputs',
  'logger',
  'max-concurrent-streams',
  'max-request-bytes',
  'max-snapshots',
  'max-txn-ops',
  'max-wals',
  'metrics',
  'name',
  'pre-vote',
  'quota-backend-bytes',
  'snapshot-count',
  'strict-reconfig-check',
  'unsafe-no-fsync',
  'wal-dir',
];
const booleans = new Set(['enable-pprof', 'initial-election-tick-advance', 'pre-vote', 'strict-reconfig-check', 'unsafe-no-fsync']);

const flags: readonly Flag[] = [
  clientURLs,
  ...flagsWithoutEffect.map((name): Flag => {
    const type = booleans.has(name) ? 'boolean' : 'string';
    return { name, type, value: type === 'boolean' ? undefined : 'VALUE', about: 'Without effect.' };
  }),
];

const etcdHelp = `Stand in for the etcd that envtest starts: be healthy, and keep nothing.

kubeloom kube-apiserver, which finds this at --etcd-servers, keeps its objects in memory.

Usage:
  kubeloom etcd [flags]

Flags:
${describeFlags(flags)}`;

/** Listens until SIGTERM or SIGINT. */
export async function etcd(args: readonly string[]): Promise<void> {
  const parsed = parseFlags(args, flags, 0, false);
  if (parsed.help) {
    process.stdout.write(etcdHelp);
    return;
  }
  const given = parsed.list(clientURLs.name);
  const urls = (given.length === 0 ? [clientURLs.default ?? ''] : given).flatMap((each) => each.split(','));
  const ended = endSignal();
  const { EtcdStandIn } = await import('../../testkit/envtest/etcd-stand-in.ts');
  const standIn = await EtcdStandIn.listen(urls.map(clientURL));
  await ended;
  await standIn.close();
}

function clientURL(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:') return url;
  throw new UsageError(`invalid argument ${JSON.stringify(text)} for --${clientURLs.name}: must be http://HOST:PORT`);
}
