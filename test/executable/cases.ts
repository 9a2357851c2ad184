import { deepEqual, equal, match } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parse } from 'yaml';
import { Envtest } from '../support/envtest.ts';
import { root } from '../support/generated-project.ts';
import { HttpClient } from '../support/http-client.ts';
import { binaryPath } from '../support/kubectl-binary.ts';
import { missingPrograms } from '../support/missing-programs.ts';
import { EmptyRoot } from './empty-root.ts';

/** A promise of the executable or of packaging/. */
export interface Case {
  readonly name: string;
  /** Returns the reason why this machine cannot run it; undefined if it can. */
  readonly missing?: () => string | undefined;
  run(executable: string): Promise<void>;
}

const kubeconfig = '/data/kubeconfig';
const flags = ['serve', '--secure-port=0', `--write-kubeconfig=${kubeconfig}`, '--cert-dir=/data/certs'] as const;

/** Needs root, and a program that changes to another root. */
const missingChroot = (): string | undefined =>
  process.getuid?.() === 0 ? missingPrograms(['chroot', 'ldd']) : 'only root may change to another root';

async function inEmptyRoot(executable: string, run: (root: EmptyRoot) => Promise<void>, user?: string): Promise<void> {
  const empty = new EmptyRoot(executable, user);
  try {
    await run(empty);
  } finally {
    empty.remove();
  }
}

/** Returns a body that is parsed on a worker thread. */
const large = (name: string): string => `--from-literal=${name}=${'x'.repeat(100_000)}`;

export const cases: readonly Case[] = [
  {
    name: 'kubectl works with a server in memory',
    missing: missingChroot,
    run: (executable) =>
      inEmptyRoot(executable, async (empty) => {
        const server = await empty.start(kubeconfig, '/usr/bin/kubeloom', ...flags, '--storage=memory', '--simulate');
        await empty.kubectl(kubeconfig, 'create', 'deployment', 'web', '--image=nginx', '--replicas=2');
        await empty.kubectl(kubeconfig, 'rollout', 'status', 'deployment/web', '--timeout=60s');
        await empty.kubectl(kubeconfig, 'create', 'configmap', 'large', large('a'));
        match(await empty.kubectl(kubeconfig, 'explain', 'pod.spec.nodeName'), /FIELD: nodeName <string>/);
        equal(await server.stop(), 0);
      }),
  },
  {
    name: 'all releases of Kubernetes are inside',
    missing: missingChroot,
    run: (executable) =>
      inEmptyRoot(executable, async (empty) => {
        const server = await empty.start(kubeconfig, '/usr/bin/kubeloom', ...flags, '--storage=memory', '--kubernetes-version=1.33');
        match(await empty.kubectl(kubeconfig, 'version'), /Server Version: v1\.33\.0\+kubeloom/);
        equal(await server.stop(), 0);
      }),
  },
  {
    name: 'LMDB keeps objects over a restart and a kill',
    missing: missingChroot,
    run: (executable) =>
      inEmptyRoot(executable, async (empty) => {
        const start = () => empty.start(kubeconfig, '/usr/bin/kubeloom', ...flags, '--storage=lmdb', '--data-dir=/data/store');
        const first = await start();
        await empty.kubectl(kubeconfig, 'create', 'configmap', 'before-the-restart');
        equal(await first.stop(), 0);
        const second = await start();
        await empty.kubectl(kubeconfig, 'create', 'configmap', 'before-the-kill', large('a'));
        await second.stop('SIGKILL');
        const third = await start();
        const names = await empty.kubectl(kubeconfig, 'get', 'configmaps', '-o', 'name', '-n', 'default');
        deepEqual(names.split('\n').slice(0, 2), ['configmap/before-the-kill', 'configmap/before-the-restart']);
        equal(await third.stop(), 0);
      }),
  },
  {
    name: 'commands work without a folder to write in',
    missing: missingChroot,
    run: (executable) =>
      inEmptyRoot(
        executable,
        async (empty) => {
          chmodSync(join(empty.folder, 'tmp'), 0o755);
          match(await empty.output('/usr/bin/kubeloom', 'version'), /^kubeloom \d/);
          match(await empty.output('/usr/bin/kubeloom', 'help', 'serve'), /--storage/);
        },
        '12345:12345',
      ),
  },
  {
    name: 'envtest-assets links the executable to itself',
    missing: missingChroot,
    run: (executable) =>
      inEmptyRoot(executable, async (empty) => {
        empty.add(await binaryPath('kubectl'), '/usr/bin/kubectl');
        equal(await empty.output('/usr/bin/kubeloom', 'envtest-assets', '/data/assets'), "export KUBEBUILDER_ASSETS='/data/assets'\n");
        match(await empty.output('/data/assets/kube-apiserver', '--help'), /--etcd-servers/);
        match(await empty.output('/data/assets/etcd', '--help'), /etcd/);
      }),
  },
  {
    name: 'a control plane of envtest starts from links',
    async run(executable) {
      const folder = mkdtempSync(join(tmpdir(), 'kubeloom-assets-'));
      try {
        execFileSync(executable, ['envtest-assets', folder]);
        const envtest = await Envtest.start(folder);
        const admin = HttpClient.for(envtest.user('admin', ['system:masters']));
        equal((await admin.get('/api/v1/namespaces/default')).status, 200);
        admin.close();
        deepEqual(await envtest.stop(), [0, 0]);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  },
  {
    name: 'packaging/container serves as its own user',
    missing: missingChroot,
    async run(executable) {
      const text = readFileSync(join(root, 'packaging/container/Containerfile'), 'utf8');
      const words = (instruction: string): string[] => JSON.parse(new RegExp(`^${instruction} (\\[.*\\])$`, 'm').exec(text)?.[1] ?? '[]');
      const user = /^USER (\S+)$/m.exec(text)?.[1];
      const command = [...words('ENTRYPOINT'), ...words('CMD')] as [string, ...string[]];
      await inEmptyRoot(
        executable,
        async (empty) => {
          // a free port instead of the one that it exposes
          const server = await empty.start(kubeconfig, ...command, '--secure-port=0', `--write-kubeconfig=${kubeconfig}`);
          await empty.kubectl(kubeconfig, 'create', 'namespace', 'web');
          match(await empty.output('/usr/bin/kubeloom', 'kubeconfig', '--cert-dir=/data/certs'), /^kind: Config$/m);
          equal(await server.stop(), 0);
        },
        user,
      );
    },
  },
  {
    name: 'packaging/systemd is a unit that systemd accepts',
    missing: () => missingPrograms(['systemd-analyze']),
    async run(executable) {
      const folder = mkdtempSync(join(tmpdir(), 'kubeloom-unit-'));
      try {
        const unit = readFileSync(join(root, 'packaging/systemd/kubeloom.service'), 'utf8').replaceAll(
          '/usr/local/bin/kubeloom',
          executable,
        );
        writeFileSync(join(folder, 'kubeloom.service'), unit);
        const output = execFileSync('systemd-analyze', ['verify', '--man=no', join(folder, 'kubeloom.service')], { stdio: 'pipe' });
        equal(output.toString(), '');
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  },
  {
    name: 'packaging/systemd is started by systemd',
    missing: () =>
      existsSync('/run/systemd/system') && process.getuid?.() === 0 ? undefined : 'this machine has no systemd, or this is not root',
    run: runUnit,
  },
  {
    name: 'packaging/github-action starts a server for the rest of a job',
    missing: () => missingPrograms(['bash']),
    run: runAction,
  },
];

/** Runs the unit under another name, so that a kubeloom of this machine stays as it is. */
async function runUnit(executable: string): Promise<void> {
  const name = `kubeloom-test-${process.pid}`;
  const [program, unit] = [`/usr/local/bin/${name}`, `/run/systemd/system/${name}.service`];
  const systemctl = (...args: string[]): string => execFileSync('systemctl', args, { encoding: 'utf8' });
  const text = readFileSync(join(root, 'packaging/systemd/kubeloom.service'), 'utf8');
  try {
    execFileSync('install', [executable, program]);
    // the folders of its state and of its cache have the name, too
    writeFileSync(unit, text.replace(/\bkubeloom\b/g, name).replace('--secure-port=6443', '--secure-port=0'));
    systemctl('daemon-reload');
    systemctl('start', name);
    while (!existsSync(`/var/lib/${name}/store`)) {
      // fails if the server has ended
      systemctl('is-active', '--quiet', name);
      await setTimeout(50);
    }
    systemctl('stop', name);
    equal(systemctl('show', '--property=Result', '--value', name), 'success\n');
  } finally {
    if (existsSync(unit)) {
      systemctl('stop', name);
      systemctl('clean', '--what=state', '--what=cache', name);
    }
    for (const file of [program, unit]) rmSync(file, { force: true });
    systemctl('daemon-reload');
  }
}

/** Runs the steps as a runner does, with an executable in place of the published package. */
async function runAction(executable: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'kubeloom-action-'));
  const [environment, outputs] = ['environment', 'outputs'].map((name) => join(folder, name)) as [string, string];
  const action = parse(readFileSync(join(root, 'packaging/github-action/action.yml'), 'utf8'));
  const inputs: Record<string, string> = { executable, flags: '--kubernetes-version=1.34' };
  try {
    for (const step of action.runs.steps) {
      const env = Object.entries(step.env as Record<string, string>).map(([name, value]) => [
        name,
        value.replace(/\$\{\{ inputs\.(\w+) \}\}/, (_, input: string) => inputs[input] ?? action.inputs[input].default),
      ]);
      execFileSync(step.shell, ['-e', '-o', 'pipefail', '-c', step.run], {
        env: { ...process.env, ...Object.fromEntries(env), RUNNER_TEMP: folder, GITHUB_ENV: environment, GITHUB_OUTPUT: outputs },
        stdio: ['ignore', 'ignore', 'inherit'],
      });
    }
    const lines = readFileSync(environment, 'utf8').trim().split('\n');
    const variables: Record<string, string> = Object.fromEntries(lines.map((line) => line.split(/=(.*)/s)));
    try {
      const version = execFileSync(await binaryPath('kubectl'), ['version'], { env: { ...process.env, ...variables }, encoding: 'utf8' });
      match(version, /Server Version: v1\.34\.0\+kubeloom/);
      match(readFileSync(outputs, 'utf8'), /^kubeconfig=\//);
      equal(variables.KUBELOOM, executable);
    } finally {
      process.kill(Number(variables.KUBELOOM_PID));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
