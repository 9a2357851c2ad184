import { describe, expect, test } from '@jest/globals';
import { serveFlags, serverOptions } from '../../../runtime/cli/serve-flags.ts';
import { parseFlags } from '../../../runtime/machinery/options/flags.ts';

const options = (...args: string[]) => serverOptions(parseFlags(args, serveFlags));

describe('flags of serve', () => {
  test('have defaults', () => {
    expect(options()).toMatchObject({
      bindAddress: '127.0.0.1',
      port: 6443,
      storage: 'lmdb',
      dataDir: 'data',
      certDir: 'certs',
      unsafeNoFsync: false,
      compactionWindow: 300_000,
      requestTimeout: 60_000,
      logLevel: 'info',
      anonymousAuth: true,
      drainTimeout: 10_000,
      shutdownDelay: 0,
      minRequestTimeout: 1800,
    });
  });

  test('are set with = and without, and the last one counts', () => {
    expect(options('--secure-port', '0', '--storage=lmdb', '--storage=memory', '--unsafe-no-fsync')).toMatchObject({
      port: 0,
      storage: 'memory',
      unsafeNoFsync: true,
    });
    expect(options('--anonymous-auth=false', '--bind-address=::1').anonymousAuth).toBe(false);
    expect(options('--feature-gates=A=true', '--feature-gates=B=false').featureGates).toEqual(['A=true', 'B=false']);
    expect(options('--controllers=*', '--controllers=-a,b').controllers).toEqual(['*', '-a,b']);
    expect(options().controllers).toBeUndefined();
  });

  test.each([
    [[], 'lmdb'],
    [['--etcd-servers=http://a:2379,http://b:2379'], 'etcd'],
    [['--storage=memory'], 'memory'],
  ])('%j: objects are in %s', (args, storage) => expect(options(...args)).toMatchObject({ storage }));

  test('name several admission plugins, separated by commas or one at a time', () => {
    expect(options('--enable-admission-plugins=A,B', '--enable-admission-plugins=C', '--disable-admission-plugins', 'D,E')).toMatchObject({
      enableAdmissionPlugins: ['A', 'B', 'C'],
      disableAdmissionPlugins: ['D', 'E'],
    });
  });

  test.each([
    [['--foo'], 'unknown flag: --foo'],
    [['--foo=1'], 'unknown flag: --foo'],
    [['-s'], 'unknown flag: -s'],
    [['--__proto__=1'], 'unknown flag: --__proto__'],
    [['extra'], 'unexpected argument: extra'],
    [['--data-dir'], 'flag needs an argument: --data-dir'],
    [['--secure-port=70000'], 'invalid argument "70000" for --secure-port: must be between 0 and 65535'],
    [['--secure-port=6443x'], 'invalid argument "6443x" for --secure-port'],
    [['--bind-address=localhost'], 'invalid argument "localhost" for --bind-address: must be an IP address'],
    [['--storage=disk'], 'invalid argument "disk" for --storage: must be one of lmdb, memory, etcd'],
    [['--log-level=loud'], 'invalid argument "loud" for --log-level'],
    [['--unsafe-no-fsync=maybe'], 'invalid argument "maybe" for --unsafe-no-fsync: must be true or false'],
    [['--compaction-window=5'], 'invalid argument "5" for --compaction-window: time: missing unit in duration "5"'],
    [['--compaction-window=0'], 'invalid argument "0" for --compaction-window: must be at least 1000ms'],
    [['--max-requests-inflight=-1'], 'invalid argument "-1" for --max-requests-inflight: must be a non-negative number'],
    [['--max-mutating-requests-inflight=x'], 'invalid argument "x" for --max-mutating-requests-inflight'],
    [['--min-request-timeout=0'], 'invalid argument "0" for --min-request-timeout: must be a number of seconds'],
    [['--shutdown-drain-timeout=-1s'], 'invalid argument "-1s" for --shutdown-drain-timeout: must not be negative'],
    [['--request-timeout=9999h'], 'invalid argument "9999h" for --request-timeout: must be at most 596h'],
  ])('%j is rejected', (args, message) => expect(() => options(...args)).toThrow(message));
});
