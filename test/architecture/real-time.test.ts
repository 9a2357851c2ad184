import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { root } from '../support/generated-project.ts';

/** Files that use the system's time or randomness in place of the server's Clock or Random, by reason. */
const reasons: Readonly<Record<string, readonly string[]>> = {
  'they are the clock, the chance and the keys of the system': ['machinery/clock.ts', 'machinery/keys.ts', 'machinery/random.ts'],
  'secrets and nonces': [
    'page/secret.ts',
    'authentication/token/cache.ts',
    'machinery/x509/authority.ts',
    'endpoints/fixed/zpages.ts',
    'storage/value/encrypt/aes/cbc.ts',
    'storage/value/encrypt/aes/extended-nonce-gcm.ts',
    'storage/value/encrypt/aes/gcm.ts',
    'storage/value/encrypt/kmsv2/encryption-state.ts',
    'storage/value/encrypt/secretbox.ts',
    'codec/json/scan.ts',
  ],
  'how long other programs and networks are waited for': [
    'client/reflector.ts',
    'client/transport.ts',
    'filters/timeout.ts',
    'http/websocket.ts',
    'client/transport/dial.ts',
    'client/transport/http2-connection.ts',
    'client/transport/rest-client.ts',
    'serving/connections.ts',
    'serving/listen.ts',
    'serving/last-response.ts',
    'serving/unread-body.ts',
    'storage/etcd/connection.ts',
    'storage/etcd/etcd-client.ts',
    'storage/etcd/history-reader.ts',
    'storage/etcd/pending-writes.ts',
    'storage/etcd/watcher.ts',
    'storage/grpc/unary-call.ts',
    'storage/value/encrypt/kmsv2/unary-client.ts',
    'storage/lmdb/owner.ts',
    'storage/lmdb/place-watch.ts',
    'storage/lmdb/reopener.ts',
    'streaming/portforward/stream-pairs.ts',
    'streaming/remotecommand/spdy-streams.ts',
    'streaming/spdy/connection.ts',
    'testkit/settling/deadline.ts',
    'client/webhook/backoff.ts',
    // and the validity of certificates, which OpenSSL checks
    'client/transport/connect-proxy.ts',
    'client/transport/tls-client.ts',
  ],
  'names that no object has': [
    'extensions/crd/conversion/webhook-converter.ts',
    'extensions/crd/without-schemas.ts',
    'machinery/json/raw-json.ts',
    'storage/value/encryption-config/kms-plugin-probe.ts',
    'machinery/files/private-files.ts',
    'storage/backup/write-backup.ts',
    'storage/value/encrypt/kmsv2/envelope-transformer.ts',
  ],
  'which of the cached is dropped': ['storage/cache/encoding-cache.ts'],
  'a thread of its own, whose requests have the time at which they came': ['server/workers/job-clock.ts'],
  'a default that the server does not use': ['simulation/stages/stage.ts'],
  'defaults are made of the object alone': ['kinds/resource.k8s.io/device-taint-rule.ts'],
  'compiled code belongs to the process, not to a server': ['machinery/compiled/program.ts'],
  'commands have no server': [
    'cli/doctor/checks.ts',
    'cli/npm-exec.ts',
    'cli/parent-end.ts',
    'cli/store/backup.ts',
    'cli/store/fill-place.ts',
  ],
};

const systems = /\bDate\.now\(|new Date\(\)|\bMath\.random|\brandomUUID|\brandomBytes|\bset(Timeout|Interval)\(/;

test('only these files ask the system for time or chance', () => {
  const runtime = join(root, 'runtime');
  const files = readdirSync(runtime, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  // comments, and methods of sockets
  const skipped = /\/\*[\s\S]*?\*\/|\/\/.*|\.setTimeout\(|setTimeout\((?:\w+: number)?\):/g;
  const code = (file: string): string => readFileSync(join(runtime, file), 'utf8').replace(skipped, '');
  expect(files.filter((file) => systems.test(code(file))).sort()).toEqual(Object.values(reasons).flat().sort());
});
