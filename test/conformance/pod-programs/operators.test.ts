import { execFile, execFileSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { type RunningServer, startServer } from '../../../runtime/index.ts';
import type { PodProgramList } from '../../../runtime/options/pod-programs.ts';
import { issueCertificate } from '../../../runtime/serving/x509-certificate.ts';
import { root } from '../../support/generated-project.ts';
import { describeKubectl, Kubectl } from '../../support/kubectl.ts';
import { missingPrograms } from '../../support/missing-programs.ts';
import { describeUnless } from '../../support/skipping.ts';

/* The operators of examples/, installed by their own manifests: their pods are the programs of their folders. */

const run = promisify(execFile);

/** A copy of an example, on a server with its programs. */
class Example {
  readonly folder: string;
  readonly server: RunningServer;
  readonly kubectl: Kubectl;

  private constructor(folder: string, server: RunningServer, kubectl: Kubectl) {
    this.folder = folder;
    this.server = server;
    this.kubectl = kubectl;
  }

  /** @param prepare makes the programs, and may change what the file says of them */
  static async open(
    name: string,
    file: string,
    prepare: (folder: string, list: PodProgramList) => Promise<PodProgramList>,
  ): Promise<Example> {
    const folder = await mkdtemp(join(tmpdir(), 'operator-'));
    await cp(join(root, 'examples', name), folder, { recursive: true, filter: (path) => !path.includes('node_modules') });
    const list: PodProgramList = parse(await readFile(join(folder, file), 'utf8'));
    await writeFile(join(folder, file), JSON.stringify(await prepare(folder, list)));
    const server = await startServer({ simulate: true, pods: { programs: join(folder, file) } });
    return new Example(folder, server, await Kubectl.for(server.kubeconfig));
  }

  async close(): Promise<void> {
    await this.kubectl.close();
    await this.server.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Waits for a value of an object. */
  wait(object: string, path: string, value: string, ...more: string[]): Promise<string> {
    return this.kubectl.ok(['wait', object, `--for=jsonpath=${path}=${value}`, '--timeout=120s', ...more]);
  }

  /** Changes a file of the source. */
  async edit(path: string, from: string, to: string): Promise<void> {
    const file = join(this.folder, path);
    const text = await readFile(file, 'utf8');
    expect(text).toContain(from);
    await writeFile(file, text.replace(from, to));
  }

  apply(manifest: string): Promise<string> {
    return this.kubectl.ok(['apply', '--filename', '-'], { stdin: manifest });
  }
}

const opened = (example: Example | undefined): Example => {
  if (example === undefined) throw new Error('an example opens before the first test');
  return example;
};

describeKubectl('the operator in TypeScript', () => {
  let example: Example | undefined;
  beforeAll(async () => {
    example = await Example.open('operator', 'pod/programs.yaml', async (folder, { programs }) => {
      await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
      // Node before 22.18 does not read TypeScript
      const loader = pathToFileURL(join(root, 'test/support/ts-loader.mjs')).href;
      return {
        programs: programs.map((one) => ({
          ...one,
          command: [process.execPath, '--no-warnings', `--import=${loader}`, ...one.command.slice(1)],
        })),
      };
    });
  });
  afterAll(() => example?.close());

  const pool = (name: string, size: number): string =>
    `{ apiVersion: fleet.example.com/v1, kind: Pool, metadata: { name: ${name} }, spec: { size: ${size}, image: nginx } }`;

  test('does its work as a pod, and a new pod is what its source has become', async () => {
    const { kubectl, ...of } = opened(example);
    await kubectl.ok(['apply', '--filename', join(of.folder, 'deploy'), '--filename', join(of.folder, 'pod/operator.yaml')]);
    await opened(example).apply(pool('one', 2));
    await opened(example).wait('pool/one', '{.status.members}', '2');
    await opened(example).edit('src/pool.ts', "pool.metadata.name ?? '' }", "pool.metadata.name ?? '', edited: 'yes' }");
    await kubectl.ok(['delete', 'pod', '--selector=app=pool-operator']);
    await opened(example).apply(pool('two', 1));
    await opened(example).wait('pool/two', '{.status.members}', '1');
    expect(await kubectl.ok(['get', 'pods', '--selector=edited=yes', '--output=name'])).toMatch(/^pod\/\S+\n$/);
  });
});

/** A build of Go takes minutes the first time, so it is asked for. Modules must be on this machine: nothing is downloaded. */
function missingModules(): string | undefined {
  if (process.env.GO_OPERATOR !== '1') return 'make test-operators builds it';
  const missing = missingPrograms(['go']);
  if (missing !== undefined) return missing;
  try {
    const env = { ...process.env, GOPROXY: 'off', GOFLAGS: '-mod=readonly' };
    execFileSync('go', ['list', '-deps', './...'], { cwd: join(root, 'examples/kubebuilder-operator'), env, stdio: 'ignore' });
    return undefined;
  } catch {
    return 'the modules of examples/kubebuilder-operator are not on this machine: go mod download';
  }
}

describeUnless(missingModules())('the operator of kubebuilder', () => {
  let example: Example | undefined;
  const env = { ...process.env, GOPROXY: 'off', GOFLAGS: '-mod=readonly' };
  const build = (cwd: string) => run('go', ['build', '-buildvcs=false', '-o', 'bin/manager', './cmd'], { cwd, env });
  beforeAll(async () => {
    example = await Example.open('kubebuilder-operator', 'programs.yaml', async (folder, list) => {
      const from = Date.now() - 60_000;
      const validity = { from, until: from + 24 * 3600 * 1000 };
      const authority = issueCertificate({ commonName: 'ca', use: 'ca', ...validity });
      const name = 'webhook-service.wheels-system.svc';
      const { certificate, key } = issueCertificate({ commonName: name, names: [name], use: 'server', ...validity }, authority);
      const files = { 'ca.crt': authority.certificate, 'tls.crt': certificate, 'tls.key': key };
      for (const [file, text] of Object.entries(files)) await writeFile(join(folder, 'config/certificate', file), text);
      await build(folder);
      return list;
    });
    await example.kubectl.ok(['apply', '--kustomize', join(example.folder, 'config/default')]);
    await example.kubectl.ok(['--namespace=wheels-system', 'rollout', 'status', 'deployment/controller-manager', '--timeout=120s']);
    await example.kubectl.ok(['--namespace=wheels-system', 'wait', 'lease/wheels.example.com', '--for=create', '--timeout=120s']);
  }, 900_000);
  afterAll(() => example?.close());

  const wheel = (name: string, spec = '{}'): string =>
    `{ apiVersion: example.com/v1, kind: Wheel, metadata: { name: ${name} }, spec: ${spec} }`;

  test('has webhooks that default, validate and convert, and a controller', async () => {
    const { kubectl } = opened(example);
    await opened(example).apply(wheel('front'));
    await opened(example).wait('wheels.v1.example.com/front', '{.status.message}', 'turns on 32 spokes');
    expect(await kubectl.ok(['get', 'wheels.v2.example.com', 'front', '--output=jsonpath={.spec}'])).toBe('{"spokeCount":32}');
    const { stderr } = await kubectl.run(['apply', '--filename', '-'], { stdin: wheel('large', '{ spokes: 101 }') });
    expect(stderr).toContain('admission webhook "vwheel-v1.example.com" denied the request: a wheel has 100 spokes at most');
  });

  test('leads, and serves metrics', async () => {
    const { kubectl } = opened(example);
    const pod = (await kubectl.ok(['--namespace=wheels-system', 'get', 'pods', '--output=name'])).trim().replace('pod/', '');
    const metrics = await kubectl.ok(['get', '--raw', `/api/v1/namespaces/wheels-system/pods/${pod}:8080/proxy/metrics`]);
    expect(metrics).toContain('leader_election_master_status{name="wheels.example.com"} 1');
  });

  test('is not in a fork, where its webhooks do not answer', async () => {
    const fork = await opened(example).server.fork();
    const kubectl = await Kubectl.for(fork.kubeconfig);
    const { stderr } = await kubectl.run(['apply', '--filename', '-'], { stdin: wheel('forked') });
    expect(stderr).toContain('failed calling webhook');
    await kubectl.close();
    await fork.close();
  });

  test('does something else after an edit, a build and the deletion of its pod', async () => {
    const { kubectl, folder } = opened(example);
    await opened(example).edit('internal/controller/wheel_controller.go', 'turns on', 'rolls on');
    await build(folder);
    await kubectl.ok(['--namespace=wheels-system', 'delete', 'pods', '--all']);
    await opened(example).wait('wheels.v1.example.com/front', '{.status.message}', 'rolls on 32 spokes');
  }, 600_000);
});
