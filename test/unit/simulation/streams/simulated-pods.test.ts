import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import { extract } from 'tar-stream';
import type { Container, ContainerStatus, Pod } from '../../../../generated/v1.35/core/v1/types.ts';
import { timeText } from '../../../../runtime/machinery/scalars/time.ts';
import { ClusterNetwork } from '../../../../runtime/simulation/network/cluster-network.ts';
import { podListener } from '../../../../runtime/simulation/network/pod-listeners.ts';
import { ContainerRuns } from '../../../../runtime/simulation/programs/container-runs.ts';
import type { PodFollower } from '../../../../runtime/simulation/streams/container-logs.ts';
import { SimulatedPods } from '../../../../runtime/simulation/streams/simulated-pods.ts';
import type { LogOptions } from '../../../../runtime/streaming/pod-handlers.ts';
import { clusterObjects } from '../../../support/cluster-objects.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { networkObjects } from '../../../support/network-objects.ts';
import type { TestObject } from '../../../support/test-object.ts';

const clock = new ManualClock();
const startedAt = timeText(clock.now());

function podWith(annotations: Record<string, string> = {}, container: Partial<Container> = {}): Pod {
  const prefixed = Object.entries(annotations).map(([name, value]) => [`simulation.kubeloom.dev/${name}`, value]);
  return {
    metadata: { name: 'web', namespace: 'default', uid: 'u1', annotations: Object.fromEntries(prefixed) },
    spec: { containers: [{ name: 'c', image: 'busybox', ...container }] },
    status: { containerStatuses: [statusWith({ state: { running: { startedAt } } })] },
  };
}

const statusWith = (status: Partial<ContainerStatus>): ContainerStatus => ({
  name: 'c',
  image: '',
  imageID: '',
  ready: true,
  restartCount: 0,
  containerID: 'containerd://1',
  ...status,
});

const withoutFollower = async (): Promise<PodFollower> => {
  throw new Error('nobody follows');
};
const ended: { id: string; exitCode: number }[] = [];
const newPods = (follow: (pod: Pod) => Promise<PodFollower> = withoutFollower, ...objects: TestObject[]) => {
  const network: ClusterNetwork = new ClusterNetwork({
    clock,
    objects: async () => networkObjects(),
    listenerOf: (pod, at) => podListener(pod, at, { runs, allowsLocalhost: false }),
    dnsServer: async () => undefined,
  });
  const runs: ContainerRuns = new ContainerRuns({
    clock,
    objects: async () => clusterObjects(...objects),
    network: async () => network,
    end: async () => undefined,
  });
  const end = async (_: Pod, life: { id: string; exitCode: number }) => void ended.push(life);
  return new SimulatedPods({ clock, network, follow, objects: async () => clusterObjects(...objects), runs, end });
};

async function exec(pods: SimulatedPods, command: string[], { pod = podWith(), input = '' } = {}) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  stdin.end(input);
  const io = { container: 'c', stdin, stdout, stderr, tty: false, onResize: () => undefined };
  const running = pods.exec(pod, command, { ...io, signal: new AbortController().signal });
  const code = await running.finally(() => [stdout, stderr].map((stream) => stream.end()));
  return [await text(stdout), await text(stderr), code];
}

/** The block before the content of a file. (POSIX ustar) */
function tarHeader(name: string, size: number): string {
  const octal = (value: number, length: number): string => `${value.toString(8).padStart(length - 1, '0')}\0`;
  const [before, after] = [`${name.padEnd(100, '\0')}${octal(0o644, 8)}${octal(0, 8)}${octal(0, 8)}${octal(size, 12)}${octal(0, 12)}`, '0'];
  const rest = `${after}${'\0'.repeat(100)}ustar\x0000`.padEnd(356, '\0');
  const sum = [...`${before}        ${rest}`].reduce((total, char) => total + char.charCodeAt(0), 0);
  return `${before}${octal(sum, 7)} ${rest}`;
}

describe('commands in simulated containers', () => {
  test.each([
    [['echo', '-n', 'a', 'b'], 'a b', '', 0],
    [['/bin/true'], '', '', 0],
    [['false'], '', '', 1],
    [['cat', '/nowhere'], '', "cat: can't open '/nowhere': No such file or directory\n", 1],
    [['printenv', 'COLOUR'], 'deep red\n', '', 0],
    [['sh', '-c', 'exit 3'], '', '', 3],
    [['sh', '-c', 'echo "a $COLOUR" | cat; echo $?'], 'a deep red\n0\n', '', 0],
    [['sh', '-c', 'X=\'1 2\'; echo "$X" > /tmp/x && cat /tmp/x; cat < /tmp/x'], '1 2\n1 2\n', '', 0],
    [['sh', '-c', 'echo a >> /tmp/log; echo b >> /tmp/log; tail -n 1 /tmp/log'], 'b\n', '', 0],
    [['sh', '-c', 'false && echo no || echo yes'], 'yes\n', '', 0],
    [['sh', '-c', 'nothing 2>&1; echo $?'], 'sh: nothing: not found\n127\n', '', 0],
    [['sh', '-c', 'echo a; echo b >&2; echo c 1>&2'], 'a\n', 'b\nc\n', 0],
    [['sh', '-c', 'cd /tmp; pwd; test -d /tmp && [ -f /tmp ]'], '/tmp\n', '', 1],
    [['sh', '-c', `X=abc; ${'X=$X$X;'.repeat(40)} echo "$?"`], '1\n', 'sh: argument list too long\n'.repeat(21), 0],
    [['sh', '-c', "echo 'open"], '', 'sh: syntax error: unterminated quoted string\n', 2],
    [['sh', '-c', 'echo a | | cat'], '', 'sh: syntax error: unexpected "|"\n', 2],
    [['sh', '-c', 'echo $(date)'], 'Thu Jan 1 00:00:00 UTC 2026\n', '', 0],
  ])('%j', async (command, ...want) => {
    const pod = podWith({}, { env: [{ name: 'COLOUR', value: 'deep red' }] });
    expect(await exec(newPods(), command, { pod })).toEqual(want);
  });

  /** Written by echo and echo -n; what head and tail show of them. */
  test.each([
    ['', 1, '', ''],
    ['a', 1, 'a', 'a'],
    ['a\n', 1, 'a\n', 'a\n'],
    ['a\nb', 1, 'a\n', 'b'],
    ['a\nb\n', 1, 'a\n', 'b\n'],
    ['a\nb\nc\n', 2, 'a\nb\n', 'b\nc\n'],
    ['\na\n', 2, '\na\n', '\na\n'],
    ['\n\n', 1, '\n', '\n'],
    ['\n\na', 2, '\n\n', '\na'],
    ['a\nb\n', 9, 'a\nb\n', 'a\nb\n'],
    ['a\nb\n', 0, '', ''],
  ])('head and tail of %j, %d lines', async (text, count, first, last) => {
    const written = `echo -n '${text}' > /tmp/x`;
    expect(await exec(newPods(), ['sh', '-c', `${written}; head -n ${count} /tmp/x`])).toEqual([first, '', 0]);
    expect(await exec(newPods(), ['sh', '-c', `${written}; tail -n ${count} /tmp/x`])).toEqual([last, '', 0]);
  });

  test('a command that is not there fails as containerd says it', async () => {
    await expect(exec(newPods(), ['nginx'])).rejects.toThrow('exec: "nginx": executable file not found in $PATH');
  });

  test('a container that does not run is not found', async () => {
    const pod = podWith();
    pod.status = { containerStatuses: [statusWith({ state: { waiting: {} } })] };
    await expect(exec(newPods(), ['true'], { pod })).rejects.toThrow('container not found ("c")');
  });

  test('annotations answer commands', async () => {
    const answers = '{"version": "1.2\\n", "check me": {stdout: ok, stderr: hm, exitCode: 4}}';
    const pod = podWith({ exec: answers });
    expect(await exec(newPods(), ['version'], { pod })).toEqual(['1.2\n', '', 0]);
    expect(await exec(newPods(), ['check', 'me'], { pod })).toEqual(['ok', 'hm', 4]);
    await expect(exec(newPods(), ['a'], { pod: podWith({ exec: '[]' }) })).rejects.toThrow('must be a map of commands');
  });

  test.each([
    [['-C', '/data', 'a'], ['a']],
    [['/data/a'], ['data/a']],
    [
      ['-C', '/', 'data'],
      ['data/', 'data/a', 'data/link -> a', 'data/run 755'],
    ],
    [
      ['-C', '/data', '.'],
      ['./', './a', './link -> a', './run 755'],
    ],
    [['-C', '/data', '../data/a'], ['data/a']],
  ])('tar cf - %j has the members %j', async (args, want) => {
    const pods = newPods();
    await exec(pods, ['sh', '-c', 'mkdir /data; cd /data; echo 1 > a; ln -s a link; echo 2 > run; chmod 755 run']);
    const stdout = new PassThrough();
    const io = { container: 'c', stdin: undefined, stdout, stderr: undefined, tty: false, onResize: () => undefined };
    const archive = extract();
    stdout.pipe(archive);
    const exited = pods.exec(podWith(), ['tar', 'cf', '-', ...args], { ...io, signal: new AbortController().signal });
    void exited.then(() => stdout.end());
    const members: string[] = [];
    for await (const entry of archive) {
      const { name, type, linkname, mode = 0 } = entry.header;
      const mark = type === 'symlink' ? ` -> ${linkname}` : type === 'file' && mode !== 0o644 ? ` ${mode.toString(8)}` : '';
      members.push(`${name}${mark}`);
      entry.resume();
    }
    expect(members).toEqual(want);
    expect(await exited).toBe(0);
  });

  test('files stay with a container, and go through tar as they are', async () => {
    const pods = newPods();
    const name = `/data/${'long-'.repeat(30)}name`;
    await exec(pods, ['sh', '-c', `mkdir -p /data; echo content > ${name}; mkdir /data/empty`]);
    const stdout = new PassThrough();
    const io = { container: 'c', stdin: undefined, stdout, stderr: undefined, tty: false, onResize: () => undefined };
    const archive = buffer(stdout);
    await pods.exec(podWith(), ['tar', 'cf', '-', '/data'], { ...io, signal: new AbortController().signal });
    stdout.end();
    const stdin = new PassThrough();
    stdin.end(await archive);
    const other = podWith();
    other.status = { containerStatuses: [statusWith({ state: { running: { startedAt } }, containerID: 'other' })] };
    const signal = new AbortController().signal;
    expect(await pods.exec(other, ['tar', '-xmf', '-', '-C', '/'], { ...io, stdin, stdout: undefined, signal })).toBe(0);
    expect(await exec(pods, ['sh', '-c', `cat ${name}; ls /data`], { pod: other })).toEqual([
      `content\nempty\n${name.slice('/data/'.length)}\n`,
      '',
      0,
    ]);
  });

  test.each([
    ['nothing', '', '', 0],
    ['text', 'a'.repeat(2000), 'tar: invalid tar magic\n', 1],
    ['half a header', `${'a'.repeat(100)}`, 'tar: short read\n', 1],
    ['a file that is too large', tarHeader('big', 17 * 2 ** 20), 'tar: file too large\n', 1],
    ['a file that ends early', tarHeader('big', 2 ** 20), 'tar: short read\n', 1],
  ])('tar extracts %s', async (_, input, stderr, code) => {
    expect(await exec(newPods(), ['tar', 'xf', '-'], { input })).toEqual(['', stderr, code]);
  });

  test('a container has room for 16 MiB', async () => {
    const input = 'x'.repeat(9 * 1024 * 1024);
    const pods = newPods();
    expect(await exec(pods, ['sh', '-c', 'cat > /tmp/a'], { input })).toEqual(['', '', 0]);
    const [, stderr, code] = await exec(pods, ['sh', '-c', 'cat /tmp/a > /tmp/b']);
    expect([stderr, code]).toEqual(['cat: write error: No space left on device\n', 1]);
  });

  test.each([
    ['sh', '-i'],
    ['timeout', '-s', 'KILL', '36000', 'sh', '-i'],
  ])('%s %s ... at a terminal runs line by line', async (...command) => {
    const [stdin, stdout] = [new PassThrough(), new PassThrough()];
    const io = { container: 'c', stdin, stdout, stderr: undefined, tty: true, onResize: () => undefined };
    const running = newPods().exec(podWith(), command, { ...io, signal: new AbortController().signal });
    let shown = '';
    stdin.write('whoami\n');
    for await (const chunk of stdout) {
      shown += chunk;
      if (shown.endsWith('root\r\n/ # ')) break;
    }
    stdin.end('exit 3\n');
    expect(await running).toBe(3);
  });

  test('a terminal shows what is typed, and prompts', async () => {
    const [stdin, stdout] = [new PassThrough(), new PassThrough()];
    const io = { container: 'c', stdin, stdout, stderr: undefined, tty: true, onResize: () => undefined };
    const running = newPods().exec(podWith(), ['sh'], { ...io, signal: new AbortController().signal });
    stdin.end('echx\x7fo hi\rcd tmp\rexit 5\r');
    expect(await running).toBe(5);
    stdout.end();
    expect(await text(stdout)).toBe('/ # echx\b \bo hi\r\nhi\r\n/ # cd tmp\r\n/tmp # exit 5\r\n');
  });
});

test('whoever attaches talks to a shell, and is not told its exit code', async () => {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const io = { container: 'c', stdin, stdout, stderr: undefined, tty: false, onResize: () => undefined };
  stdin.end('echo here\nexit 3\n');
  expect(await newPods().attach(podWith(), { ...io, signal: new AbortController().signal })).toBe(0);
  stdout.end();
  expect(await text(stdout)).toBe('here\n');
});

test.each<[string, Partial<Container>, number[]]>([
  ['exit 3\n', { stdin: true }, [3]],
  ['false\n\x04', { stdin: true }, [1]],
  ['false\n', { stdin: true }, []],
  ['false\n', { stdin: true, stdinOnce: true }, [1]],
  ['exit 3\n', {}, []],
])('after %j, a container with %j ends as %j', async (input, container, want) => {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const io = { container: 'c', stdin, stdout, stderr: undefined, tty: false, onResize: () => undefined };
  ended.length = 0;
  stdin.end(input);
  await newPods().attach(podWith({}, container), { ...io, signal: new AbortController().signal });
  expect(ended).toEqual(want.map((exitCode) => ({ id: 'containerd://1', exitCode })));
});

describe('files of simulated containers', () => {
  const cat = async (path: string, spec: object = {}, status: object = {}, ...objects: TestObject[]) => {
    const pod = podWith();
    const changed = { ...pod, spec: { ...pod.spec, ...spec }, status: { ...pod.status, ...status } } as Pod;
    const [stdout, stderr] = await exec(newPods(withoutFollower, ...objects), ['cat', path], { pod: changed });
    return `${stdout}${stderr}`;
  };
  const kubernetes = { kind: 'Service', metadata: { name: 'kubernetes', namespace: 'default' } };
  const service = { ...kubernetes, spec: { clusterIP: '10.96.0.1' } };

  test("/etc/hosts is a kubelet's", async () => {
    const spec = { subdomain: 'sub', hostAliases: [{ ip: '10.0.0.9', hostnames: ['a', 'b'] }] };
    expect(await cat('/etc/hosts', spec, { podIPs: [{ ip: '10.128.0.2' }] })).toBe(
      [
        '# Kubernetes-managed hosts file.',
        '127.0.0.1\tlocalhost',
        '::1\tlocalhost ip6-localhost ip6-loopback',
        'fe00::0\tip6-localnet',
        'fe00::0\tip6-mcastprefix',
        'fe00::1\tip6-allnodes',
        'fe00::2\tip6-allrouters',
        '10.128.0.2\tweb.sub.default.svc.cluster.local\tweb',
        '',
        '# Entries added by HostAliases.',
        '10.0.0.9\ta\tb',
        '',
      ].join('\n'),
    );
  });

  test.each([
    [{}, 'web\n'],
    [{ hostname: 'host', subdomain: 'sub', setHostnameAsFQDN: true }, 'host.sub.default.svc.cluster.local\n'],
    [{ hostNetwork: true, nodeName: 'node' }, 'node\n'],
  ])('/etc/hostname of a pod with %j', async (spec, want) => {
    expect(await cat('/etc/hostname', spec)).toBe(want);
  });

  const search = 'search default.svc.cluster.local svc.cluster.local cluster.local';
  const dnsConfig = { nameservers: ['1.1.1.1'], searches: ['x.org'], options: [{ name: 'ndots', value: '2' }] };
  test.each([
    [{}, `${search}\nnameserver 10.96.0.10\noptions ndots:5\n`],
    [{ dnsConfig }, `${search} x.org\nnameserver 10.96.0.10\nnameserver 1.1.1.1\noptions ndots:2\n`],
    [{ dnsPolicy: 'None', dnsConfig }, 'search x.org\nnameserver 1.1.1.1\noptions ndots:2\n'],
    [{ dnsPolicy: 'Default' }, 'nameserver 172.16.0.1\n'],
  ])('/etc/resolv.conf of a pod with %j', async (spec, want) => {
    expect(await cat('/etc/resolv.conf', spec, {}, service)).toBe(want);
  });

  test.each([
    ['/config/a', { mountPath: '/config' }, '1'],
    ['/config/deep/b', { mountPath: '/config' }, '2'],
    ['/b', { mountPath: '/b', subPath: 'deep/b' }, '2'],
    ['/only/b', { mountPath: '/only', subPathExpr: '$(FOLDER)' }, '2'],
    ['/config/name', { mountPath: '/config' }, 'web'],
  ])('%s is what a volume shows at %j', async (path, mount, want) => {
    const metadata = { name: 'both', namespace: 'default' };
    const configMap = { kind: 'ConfigMap', metadata, data: { a: '1' } };
    const secret = { kind: 'Secret', metadata, data: { b: Buffer.from('2').toString('base64') } };
    const name = { path: 'name', fieldRef: { fieldPath: 'metadata.name' } };
    const sources = [
      { configMap: { name: 'both' } },
      { secret: { name: 'both', items: [{ key: 'b', path: 'deep/b' }] } },
      { downwardAPI: { items: [name] } },
    ];
    const env = [{ name: 'FOLDER', value: 'deep' }];
    const containers = [{ name: 'c', image: 'i', env, volumeMounts: [{ name: 'v', ...mount }] }];
    const spec = { containers, volumes: [{ name: 'v', projected: { sources } }] };
    expect(await cat(path, spec, {}, configMap, secret)).toBe(want);
  });
});

describe('logs of simulated containers', () => {
  const options: LogOptions = {
    container: 'c',
    follow: false,
    previous: false,
    timestamps: false,
    since: undefined,
    tailLines: undefined,
    limitBytes: undefined,
    signal: new AbortController().signal,
  };
  const logOf = async (pod: Pod, given: Partial<LogOptions> = {}) => {
    let all = '';
    for await (const line of newPods().logs(pod, { ...options, ...given })) all += line;
    return all;
  };

  test.each([
    ['the text of the annotation', podWith({ log: 'one\ntwo\n' }), {}, 'one\ntwo\n'],
    ['the last lines', podWith({ 'log.c': 'one\ntwo' }), { tailLines: 1 }, 'two\n'],
    ['times', podWith({ log: 'one' }), { timestamps: true }, '2026-01-01T00:00:00.000000000Z one\n'],
    ['lines that are not due yet', podWith({ log: 'one\ntwo', 'log-interval': '5s' }), {}, 'one\n'],
    ['lines of another time', podWith({ log: 'one' }), { since: new Date(clock.now() + 1000) }, ''],
    ['what its command prints', podWith({}, { command: ['sh', '-c', 'echo a; sleep 60; echo b'] }), {}, 'a\n'],
    ['a command that is unknown', podWith({}, { command: ['nginx'] }), {}, ''],
  ])('%s', async (_, pod, given, want) => {
    expect(await logOf(pod, given)).toBe(want);
  });

  const waiting = (reason: string) => statusWith({ state: { waiting: { reason } } });
  test.each([
    [undefined, {}, 'container "c" in pod "web" is not available'],
    [waiting('ContainerCreating'), {}, 'container "c" in pod "web" is waiting to start: ContainerCreating'],
    [waiting('ErrImagePull'), {}, `container "c" in pod "web" is waiting to start: image can't be pulled`],
    [waiting('ImagePullBackOff'), {}, 'container "c" in pod "web" is waiting to start: trying and failing to pull image'],
    [statusWith({ state: { running: { startedAt } } }), { previous: true }, 'previous terminated container "c" in pod "web" not found'],
  ])('a container without a log: %j', async (status, given, want) => {
    const pod = podWith({ log: 'text' });
    pod.status = { containerStatuses: status ? [status] : [] };
    await expect(logOf(pod, given)).rejects.toThrow(want);
  });

  test('followers get lines when they are due, until the container ends', async () => {
    const pod = podWith({ log: 'one\ntwo\nthree', 'log-interval': '5s' });
    const waits: (number | undefined)[] = [];
    let current: Pod | undefined = pod;
    const follower: PodFollower = {
      current: () => current,
      async changed(ms) {
        waits.push(ms);
        clock.advance(ms ?? 0);
        if (waits.length < 2) return;
        const finishedAt = timeText(clock.now() - 3000);
        const state = { terminated: { exitCode: 0, startedAt, finishedAt, containerID: 'containerd://1' } };
        current = { ...pod, status: { containerStatuses: [statusWith({ state })] } };
      },
      close: () => undefined,
    };
    let all = '';
    for await (const line of newPods(async () => follower).logs(pod, { ...options, follow: true })) all += line;
    expect([all, waits]).toEqual(['one\ntwo\n', [5000, 5000]]);
  });
});

describe('ports of simulated pods', () => {
  /** Returns the port's response over a real connection. */
  const send = async (pod: Pod, port: number, data: string) => {
    const server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    try {
      const [[connection]] = (await Promise.all([once(server, 'connection'), once(client, 'connect')])) as [[Socket], []];
      client.end(data);
      const answered = text(client);
      answered.catch(() => undefined);
      await newPods().portForward(pod, port, connection);
      return await answered;
    } finally {
      client.destroy();
      server.close();
    }
  };
  const ports = [{ containerPort: 8080 }];

  test('a declared port answers HTTP requests, one after the other', async () => {
    const answers = await send(podWith({}, { image: 'web', ports }), 8080, 'GET / HTTP/1.1\r\n\r\nHEAD / HTTP/1.1\r\n\r\n');
    expect(answers.split('HTTP/1.1 200 OK').length).toBe(3);
    expect(answers).toContain('simulated pod default/web, port 8080\n');
  });

  test('annotations say what listens', async () => {
    expect(await send(podWith({ port: 'echo' }), 7, 'again')).toBe('again');
    expect(await send(podWith({ 'port.80': 'http: hello' }), 80, 'GET / HTTP/1.0\r\n\r\n')).toMatch(/hello\n$/);
  });

  test('other ports are closed, and those of this machine are out of reach', async () => {
    await expect(send(podWith(), 81, '')).rejects.toThrow('dial tcp4 127.0.0.1:81: connect: connection refused');
    await expect(send(podWith({ port: '127.0.0.1:22' }), 22, '')).rejects.toThrow('--simulate-forward-to-localhost is off');
  });
});
