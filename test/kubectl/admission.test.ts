import { beforeAll, expect, test } from '@jest/globals';
import { describeKubectl } from '../support/kubectl.ts';
import { TestServer } from '../support/test-server.ts';

describeKubectl('kubectl and plugins that admit pods', () => {
  const suite = TestServer.withKubectl();
  const run = (...args: string[]) => suite.kubectl.run(args);
  const ok = (...args: string[]) => suite.kubectl.ok(args);
  const apply = (manifest: object) => suite.kubectl.run(['apply', '-f', '-'], { stdin: JSON.stringify(manifest) });

  const violations =
    'allowPrivilegeEscalation != false (container "web" must set securityContext.allowPrivilegeEscalation=false), unrestricted capabilities (container "web" must set securityContext.capabilities.drop=["ALL"]), runAsNonRoot != true (pod or container "web" must set securityContext.runAsNonRoot=true), seccompProfile (pod or container "web" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")';

  beforeAll(async () => {
    await ok('create', 'namespace', 'strict');
    await ok('label', 'namespace', 'strict', 'pod-security.kubernetes.io/enforce=restricted');
  });

  test('run is refused by PodSecurity', async () => {
    expect(await run('run', 'web', '--image=nginx', '-n', 'strict')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `Error from server (Forbidden): pods "web" is forbidden: violates PodSecurity "restricted:latest": ${violations}\n`,
    });
  });

  test('create deployment warns of what PodSecurity will refuse', async () => {
    expect(await run('create', 'deployment', 'web', '--image=web', '-n', 'strict')).toMatchObject({
      code: 0,
      stdout: 'deployment.apps/web created\n',
      stderr: `Warning: would violate PodSecurity "restricted:latest": ${violations}\n`,
    });
  });

  test('label warns of pods that the new level does not allow', async () => {
    await ok('create', 'namespace', 'loose');
    await ok('run', 'web', '--image=nginx', '-n', 'loose');
    const { stdout, stderr } = await run('label', 'ns', 'loose', 'pod-security.kubernetes.io/enforce=restricted');
    expect(stdout).toBe('namespace/loose labeled\n');
    expect(stderr.split('\n')[0]).toBe(
      'Warning: existing pods in namespace "loose" violate the new PodSecurity enforce level "restricted:latest"',
    );
    const wrong = await run('label', 'ns', 'loose', '--overwrite', 'pod-security.kubernetes.io/enforce=strict');
    expect(wrong.stderr).toContain(
      'The Namespace "loose" is invalid: metadata.labels[pod-security.kubernetes.io/enforce]: Invalid value: "strict": must be one of privileged, baseline, restricted',
    );
  });

  test('apply is refused by Priority and by ServiceAccount', async () => {
    const containers = [{ name: 'c', image: 'i' }];
    const pod = (spec: object) => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p' },
      spec: { containers, ...spec },
    });
    const refused = 'Error from server (Forbidden): error when creating "STDIN": pods "p" is forbidden:';
    expect((await apply(pod({ priorityClassName: 'none' }))).stderr).toBe(`${refused} no PriorityClass with name none was found\n`);
    expect((await apply(pod({ serviceAccountName: 'none' }))).stderr).toBe(
      `${refused} error looking up service account default/none: serviceaccount "none" not found\n`,
    );
  });

  test('create priorityclass is refused if another class is the default', async () => {
    await ok('create', 'priorityclass', 'first', '--value=1', '--global-default');
    expect((await run('create', 'priorityclass', 'second', '--value=2', '--global-default')).stderr).toBe(
      'error: failed to create priorityclass: priorityclasses.scheduling.k8s.io "second" is forbidden: PriorityClass first is already marked as default. Only one default can exist\n',
    );
  });

  test('describe shows what a pod got', async () => {
    await ok('run', 'shown', '--image=nginx');
    const text = await ok('describe', 'pod', 'shown');
    expect(text).toMatch(/Priority: +1\nPriority Class Name: +first\nService Account: +default\n/);
    expect(text).toMatch(/Mounts:\n +\/var\/run\/secrets\/kubernetes.io\/serviceaccount from kube-api-access-\w{5} \(ro\)\n/);
    expect(text).toMatch(/TokenExpirationSeconds: +3607\n +ConfigMapName: +kube-root-ca.crt\n/);
    expect(text).toMatch(/Tolerations: +node.kubernetes.io\/not-ready:NoExecute op=Exists for 300s\n/);
  });
});
