import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeSimulation } from '../../support/kubectl-simulation.ts';
import { testUnless } from '../../support/skipping.ts';

/** Runs a command in its own terminal. */
const script = '/usr/bin/script';
const testTerminal = testUnless(existsSync(script) ? undefined : `${script} is missing`);

const pod = `
apiVersion: v1
kind: Pod
metadata:
  name: two
  labels: {app: two}
  annotations: {simulation.kubeloom.dev/port.7: echo}
spec:
  containers:
  - {name: a, image: busybox, command: [sh, -c, "echo a1; echo a2; sleep 3600"], ports: [{containerPort: 7}]}
  - {name: b, image: busybox, command: [sh, -c, "echo b1; sleep 3600"]}
`;

/** Returns a pod whose container waits for terminal input. */
const reader = ({ name, command, isTerminal = false }: { name: string; command: string; isTerminal?: boolean }): string => `
apiVersion: v1
kind: Pod
metadata: {name: ${name}, annotations: {simulation.kubeloom.dev/run-for: forever}}
spec:
  restartPolicy: Never
  containers: [{name: main, image: busybox, command: [${command}], stdin: true, stdinOnce: true, tty: ${isTerminal}}]
`;

describeSimulation('kubectl with pods that run', {
  simulate: { nodes: 1 },
  tests: (user) => {
    let folder: string;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'kubeloom-copies-'));
      await user.apply(pod);
      await user.ok('wait pod/two --for condition=Ready --timeout 30s');
    });
    afterAll(() => rm(folder, { recursive: true, force: true }));

    test.each([
      ['of the first container', 'logs two', 'a1\na2\n'],
      ['of another', 'logs two --container b', 'b1\n'],
      ['of all, with their names', 'logs two --all-containers --prefix', '[pod/two/a] a1\n[pod/two/a] a2\n[pod/two/b] b1\n'],
      ['of the last line', 'logs two --tail=1', 'a2\n'],
    ])('logs: %s', async (_what, command, log) => {
      // kubectl shows containers in any order
      const lines = (await user.ok(command)).split('\n').sort();
      expect(lines).toEqual(log.split('\n').sort());
    });

    test('logs of all containers are followed until the pod is deleted', async () => {
      await user.ok('run followed --image busybox --restart Never -- sh -c', 'echo first; sleep 600');
      await user.ok('wait pod/followed --for condition=Ready --timeout 30s');
      const follower = user.kubectl.start(user.arguments('logs --follow followed --all-containers'));
      const [first] = await once(follower.stdout as NodeJS.ReadableStream, 'data');
      expect(String(first)).toBe('first\n');
      const [[code]] = await Promise.all([once(follower, 'close'), user.ok('delete pod followed --grace-period 2 --timeout 30s')]);
      expect(code).toBe(0);
    });

    test('exec has an exit code, input, and a shell in a terminal', async () => {
      const failed = await user.run('exec two --container b -- sh -c', ['echo out; echo err >&2; exit 3']);
      expect(failed).toEqual({
        code: 3,
        stdout: 'out\n',
        stderr: 'err\ncommand terminated with exit code 3\n',
      });
      expect(await user.run('exec --stdin two --container a -- cat', [], 'typed\n')).toMatchObject({
        stdout: 'typed\n',
      });
    });

    testTerminal('exec --stdin --tty is a shell', async () => {
      const shown = await user.kubectl.inTerminal(script, user.arguments('exec -it two --container a -- sh'), {
        input: 'hostname\nexit\n',
      });
      expect(shown).toContain('/ # hostname\r\ntwo\r\n/ # exit');
    });

    test('a command that is run with input is attached to', async () => {
      const { code, stdout } = await user.run('run once --rm --stdin --image busybox --restart Never -- cat', [], 'given\n');
      expect([code, stdout]).toEqual([0, expect.stringMatching(/^given\npod "once" deleted/)]);
    });

    test('attach shows what a container prints until it ends', async () => {
      const lines = Array.from({ length: 600 }, (_, index) => `line ${index}`).join('\n');
      const annotations = `simulation.kubeloom.dev/log=${lines}`;
      await user.ok('run prints --image nginx --annotations simulation.kubeloom.dev/log-interval=100ms --annotations', annotations);
      await user.ok('wait pod/prints --for condition=Ready --timeout 30s');
      const attached = user.kubectl.start(user.arguments('attach prints'));
      const [shown] = await once(attached.stdout as NodeJS.ReadableStream, 'data');
      expect(String(shown)).toMatch(/^line \d+\n/);
      const [[code]] = await Promise.all([once(attached, 'close'), user.ok('delete pod prints --timeout 30s')]);
      expect(code).toBe(0);
    });

    test('attach with input talks to the command of a container that waits for it', async () => {
      await user.apply(reader({ name: 'reads', command: 'cat' }));
      await user.ok('wait pod/reads --for condition=Ready --timeout 30s');
      const { code, stdout } = await user.run('attach reads --stdin', [], 'typed\n');
      expect([code, stdout]).toEqual([0, 'typed\n']);
      await user.ok('wait pod/reads --for jsonpath={.status.phase}=Succeeded --timeout 30s');
    });

    testTerminal('attach in a terminal talks to the shell that a container runs', async () => {
      await user.apply(reader({ name: 'shell', command: 'sh', isTerminal: true }));
      await user.ok('wait pod/shell --for condition=Ready --timeout 30s');
      const input = 'hostname\nexit 3\n';
      const shown = await user.kubectl.inTerminal(script, user.arguments('attach -it shell'), { input });
      expect(shown).toContain('hostname\r\nshell\r\n');
      const ended = await user.ok('wait pod/shell --for jsonpath={.status.phase}=Failed --timeout 30s');
      expect(ended).toContain('condition met');
    });

    testTerminal('debug adds a container with a shell', async () => {
      const shown = await user.kubectl.inTerminal(
        script,
        user.arguments('debug -it two --image busybox --container tool --profile general'),
        { input: 'echo from $HOSTNAME\nexit\n' },
      );
      expect(shown).toContain('from two\r\n');
      const ended = { name: 'tool', state: { terminated: { exitCode: 0, reason: 'Completed' } } };
      await user.ok('wait pod/two --timeout 30s', '--for=jsonpath={.status.ephemeralContainerStatuses[0].state.terminated}');
      expect((await user.get('pod two')).status.ephemeralContainerStatuses).toMatchObject([ended]);
    });

    test('debug copies a pod', async () => {
      await user.ok('debug two --image nginx --copy-to copied --container tool --profile general');
      await user.ok('wait pod/copied --for condition=Ready --timeout 30s');
      expect(await user.ok('get pod copied --no-headers')).toMatch(/^copied +3\/3 +Running +0 +/);
    });

    test('cp, to a container and back', async () => {
      const [from, to] = ['from', 'to'].map((name) => join(folder, name));
      await writeFile(from, Buffer.alloc(200_000, 'content'));
      await user.ok(`cp ${from} two:/tmp/copy --container b`);
      await user.ok(`cp two:/tmp/copy ${to} --container b`);
      expect((await readFile(to)).equals(await readFile(from))).toBe(true);
      expect(await user.run('exec two --container a -- cat /tmp/copy')).toMatchObject({ code: 1 });
    });

    test('port-forward connects to what listens on a port', async () => {
      const forward = user.kubectl.start(user.arguments('port-forward pod/two :7'));
      try {
        const port = await forwardedPort(forward.stdout as NodeJS.ReadableStream);
        expect(await exchange(port, 'hello')).toBe('hello');
      } finally {
        forward.kill();
      }
    });
  },
});

/** Returns the local port that kubectl reports. kubectl must be able to write more. */
function forwardedPort(output: NodeJS.ReadableStream): Promise<number> {
  let said = '';
  return new Promise((resolve, reject) => {
    output.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const found = /127\.0\.0\.1:(\d+) ->/.exec(said);
      if (found) resolve(Number(found[1]));
    });
    output.on('end', () => reject(new Error(`kubectl ended: ${said}`)));
  });
}

/** Sends a message. Returns the bytes received, up to the message's length. */
async function exchange(port: number, message: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined).write(message);
  let answer = '';
  for await (const chunk of socket) {
    answer += chunk.toString();
    if (answer.length >= message.length) break;
  }
  return answer;
}
