import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePorts } from '../support/free-ports.ts';
import { root } from '../support/generated-project.ts';
import { copyModule, moduleFolder } from '../support/go-module.ts';
import { missingPrograms } from '../support/missing-programs.ts';
import type { Suite, SuiteResult } from './suite.ts';

/*
 * The tests of kubectl, test/cmd of Kubernetes. hack/make-rules/test-cmd.sh runs unchanged. Where it looks for the programs
 * that it builds, it finds this server as kube-apiserver, and Kubernetes' own kubectl and kube-controller-manager.
 */

const version = 'v1.35.0';
const home = process.env.KUBE_HOME ?? '';
const programs = ['kubectl', 'kube-controller-manager', 'etcd'];
const folders = ['hack', 'test/cmd', 'test/fixtures', 'test/e2e/testing-manifests', 'third_party'];

/** WHAT, names of tests such as `version create`; default: all. */
const { WHAT = '', LOG: logFile = '' } = process.env;

export const kubectlCmd: Suite = {
  name: 'kubectl test/cmd',

  missing() {
    const missing = programs.filter((name) => !existsSync(join(home, 'bin', name)));
    if (missing.length > 0) return `KUBE_HOME names no folder with ${missing.map((name) => `bin/${name}`).join(', ')}`;
    return missingPrograms(['go', 'bash', 'jq', 'openssl', 'curl']);
  },

  async run() {
    const folder = await mkdtemp(join(tmpdir(), 'kubeloom-test-cmd-'));
    try {
      const kubernetes = join(folder, 'kubernetes');
      await copyModule(await moduleFolder('k8s.io/kubernetes', version), kubernetes, folders);
      await placePrograms(folder, kubernetes);
      const script = await readFile(join(kubernetes, 'test/cmd/legacy-script.sh'), 'utf8');
      const all = [...script.matchAll(/^\s*record_command run_(\w+)_tests$/gm)].map(([, name]) => name);
      const names = WHAT === '' ? all : WHAT.split(/[ ,]+/);
      return resultOf(names, await runScript(folder, kubernetes, names));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

/** Places programs where the script expects them to be built, and a `make` that builds nothing. */
async function placePrograms(folder: string, kubernetes: string): Promise<void> {
  const [bin, assets, fakes] = [join(kubernetes, '_output/bin'), join(folder, 'assets'), join(folder, 'fakes')];
  await Promise.all([mkdir(bin, { recursive: true }), mkdir(fakes)]);
  await promisify(execFile)(process.execPath, [join(root, 'dist/runtime/cli/main.js'), 'envtest-assets', assets]);
  await copyFile(join(assets, 'kube-apiserver'), join(bin, 'kube-apiserver'));
  for (const name of ['kubectl', 'kubectl-convert', 'kube-controller-manager']) {
    if (existsSync(join(home, 'bin', name))) await symlink(join(home, 'bin', name), join(bin, name));
  }
  await writeFile(join(fakes, 'make'), '#!/bin/sh\nexit 0\n');
  await chmod(join(fakes, 'make'), 0o755);
}

/** Returns what the script has printed. LOG names a file that gets it, too. */
async function runScript(folder: string, kubernetes: string, names: readonly string[]): Promise<string> {
  const [etcdPort, port] = await freePorts(2);
  const temporary = join(folder, 'tmp');
  await mkdir(temporary);
  const child = spawn(join(kubernetes, 'hack/make-rules/test-cmd.sh'), {
    cwd: kubernetes,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      PATH: `${join(folder, 'fakes')}:${join(home, 'bin')}:${process.env.PATH}`,
      WHAT: names.join(' '),
      // the versions of the server and of kubectl have different suffixes
      ALLOW_SKEW: '1',
      ETCD_PORT: String(etcdPort),
      SECURE_API_PORT: String(port),
      KUBE_JUNIT_REPORT_DIR: join(folder, 'junit'),
      SERVICE_ACCOUNT_KEY: join(folder, 'service-account.key'),
      TMPDIR: temporary,
    },
  });
  const file = logFile === '' ? undefined : createWriteStream(logFile);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      file?.write(text);
    });
  }
  await once(child, 'close');
  file?.end();
  return output;
}

/** Reads which tests have run, and which of them have failed. */
function resultOf(names: readonly string[], output: string): SuiteResult {
  const named = (pattern: RegExp): string[] => [...output.matchAll(pattern)].map(([, name]) => name);
  const started = new Set(named(/^Recording: run_(\w+)_tests$/gm));
  const failing = new Set(named(/^Error when running run_(\w+)_tests$/gm));
  const failed = names.filter((name) => failing.has(name) || !started.has(name));
  return {
    name: kubectlCmd.name,
    version: `k8s.io/kubernetes ${version}`,
    passed: names.length - failed.length,
    total: names.length,
    failed,
  };
}
