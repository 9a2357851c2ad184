import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync } from 'node:fs';
import { copyFile, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { writeEnvtestAssets } from '../../runtime/testkit/envtest/assets.ts';
import { EtcdCluster } from '../support/etcd.ts';
import { root } from '../support/generated-project.ts';
import { copyModule, moduleFolder } from '../support/go-module.ts';
import { missingPrograms } from '../support/missing-programs.ts';
import type { Suite, SuiteResult } from './suite.ts';

/** An integration suite of Kubernetes in Go, whose test server is a package of its own. */
export interface GoSuite {
  readonly name: string;
  /** The module of the suite and of the test server. */
  readonly module: string;
  /** Import paths below the module, for example `test/integration/client`. */
  readonly packages: readonly string[];
  /** The file in the module that starts a server, and the one in test/upstream/go that takes its place. */
  readonly server: { readonly replaced: string; readonly by: string };
}

const version = 'v1.35.0';
/** The version of the modules that Kubernetes is published in, for v1.35.0. */
const staging = version.replace('v1', 'v0');
const kubernetes = 'k8s.io/kubernetes';
const sources = join(root, 'test/upstream/go');
const etcdBinary = join(process.env.KUBE_HOME ?? '', 'bin/etcd');

/** RUN, a pattern of tests for Go; LOG, a file for the output. */
const { RUN = '', LOG: logFile = '' } = process.env;

/**
 * Returns a suite that runs unchanged on this server. One file is replaced, which starts the server: instead of Kubernetes'
 * own, inside the test, it starts a process of this one.
 */
export const goSuite = (suite: GoSuite): Suite => ({
  name: suite.name,

  missing: () => (existsSync(etcdBinary) ? missingPrograms(['go']) : 'KUBE_HOME names no folder with bin/etcd'),

  async run() {
    const folder = await mkdtemp(join(tmpdir(), 'kubeloom-go-suite-'));
    const etcd = await EtcdCluster.start({ binary: etcdBinary });
    try {
      await writeModule(suite, folder);
      await writeEnvtestAssets(join(folder, 'assets'), {
        kubeloom: [process.execPath, join(root, 'dist/runtime/cli/main.js')],
        apiServerFlags: [],
      });
      return resultOf(suite, await goTest(suite, folder, etcd.endpoints[0]));
    } finally {
      await Promise.all([etcd.stop(), rm(folder, { recursive: true, force: true })]);
    }
  },
});

/** The version of a module of Kubernetes. */
const versionOf = (module: string): string => (module === kubernetes ? version : staging);

/** Writes a module in which the suite's module is a copy with the other test server. */
async function writeModule({ module, server }: GoSuite, folder: string): Promise<void> {
  const copy = join(folder, 'suite');
  await copyModule(await moduleFolder(module, versionOf(module)), copy);
  await copyFile(join(sources, server.by), join(copy, server.replaced));
  await cp(join(sources, 'external'), join(folder, 'external'), { recursive: true });
  await mkdir(join(folder, 'main'));
  const replaced = module === kubernetes ? await stagingModules(copy) : [];
  const lines = [
    'module kubeloom.test/suite',
    'go 1.25.0',
    `require ${module} ${versionOf(module)}`,
    'require kubeloom.test/external v0.0.0',
    'replace kubeloom.test/external => ../external',
    `replace ${module} => ../suite`,
    ...replaced.map((name) => `replace ${name} => ${name} ${staging}`),
  ];
  await writeFile(join(folder, 'main/go.mod'), lines.map((line) => `${line}\n`).join(''));
}

/** Kubernetes' go.mod replaces its own modules with folders that no archive has. */
async function stagingModules(copy: string): Promise<readonly string[]> {
  const text = await readFile(join(copy, 'go.mod'), 'utf8');
  return [...text.matchAll(/^\s*(\S+) => \.\/staging\//gm)].map(([, name]) => name);
}

/** A line of `go test -json`. */
interface TestEvent {
  readonly Action: string;
  readonly Package?: string;
  readonly Test?: string;
  readonly Output?: string;
}

async function goTest({ module, packages }: GoSuite, folder: string, etcdUrl: string): Promise<readonly TestEvent[]> {
  const args = ['test', '-json', '-count=1', '-p=1', '-timeout=3h', '-mod=mod', '-trimpath'];
  if (RUN !== '') args.push(`-run=${RUN}`);
  const child = spawn('go', [...args, ...packages.map((path) => `${module}/${path}`)], {
    cwd: join(folder, 'main'),
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      CGO_ENABLED: '0',
      KUBELOOM_KUBE_APISERVER: join(folder, 'assets/kube-apiserver'),
      KUBE_INTEGRATION_ETCD_URL: etcdUrl,
      TMPDIR: folder,
    },
  });
  const file = logFile === '' ? undefined : createWriteStream(logFile);
  const events: TestEvent[] = [];
  const closed = once(child, 'close');
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith('{')) continue;
    const event = JSON.parse(line) as TestEvent;
    file?.write(event.Output ?? '');
    if (event.Action !== 'output') events.push(event);
    // a package that cannot be built has no tests
    else if (event.Test === undefined && /^FAIL\b.*\[/.test(event.Output ?? '')) process.stderr.write(event.Output ?? '');
  }
  await closed;
  file?.end();
  return events;
}

/** A test is one function of Go, with all of its subtests. A skipped test does not count; one that has not ended fails. */
function resultOf({ name, module }: GoSuite, events: readonly TestEvent[]): SuiteResult {
  const outcomes = new Map<string, string>();
  for (const { Action, Package = '', Test } of events) {
    if (Test !== undefined && !Test.includes('/')) outcomes.set(`${Package} ${Test}`, Action);
  }
  const ran = [...outcomes].filter(([, action]) => action !== 'skip');
  const failed = ran.filter(([, action]) => action !== 'pass').map(([key]) => key.split(' ')[1]);
  return { name, version: `${module} ${versionOf(module)}`, passed: ran.length - failed.length, total: ran.length, failed: failed.sort() };
}
