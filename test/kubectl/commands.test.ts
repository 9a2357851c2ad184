import { expect, test } from '@jest/globals';
import { describeKubectl } from '../support/kubectl.ts';
import { TestServer } from '../support/test-server.ts';

const deployment = (name: string, replicas = 2): string => `
apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
  labels: {app: ${name}}
spec:
  replicas: ${replicas}
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}}
    spec:
      containers:
      - name: web
        image: nginx:1.27
        ports: [{containerPort: 80}]
`;

const pod = (name: string, label = 'x'): string => `
apiVersion: v1
kind: Pod
metadata: {name: ${name}, labels: {group: ${label}}}
spec:
  containers: [{name: main, image: "busybox:1.36"}]
`;

describeKubectl('kubectl 1.35', () => {
  const suite = TestServer.withKubectl();

  test('version shows the server as v1.35', async () => {
    const version = JSON.parse(await suite.kubectl.ok(['version', '-o', 'json']));
    expect(version.serverVersion).toMatchObject({ major: '1', minor: '35' });
  });

  test('api-resources and api-versions list every group', async () => {
    const resources = await suite.kubectl.ok(['api-resources']);
    for (const line of [/^pods +po +v1 +true +Pod$/m, /^deployments +deploy +apps\/v1 +true +Deployment$/m]) {
      expect(resources).toMatch(line);
    }
    const versions = (await suite.kubectl.ok(['api-versions'])).trim().split('\n');
    expect(versions).toEqual(expect.arrayContaining(['v1', 'apps/v1', 'autoscaling/v2', 'rbac.authorization.k8s.io/v1']));
    expect(versions).toHaveLength(36);
  });

  test('explain describes the fields of a kind', async () => {
    const text = await suite.kubectl.ok(['explain', 'deployment.spec.template.spec.containers.ports']);
    expect(text).toContain('GROUP:      apps');
    expect(text).toContain('containerPort\t<integer> -required-');
    expect(await suite.kubectl.ok(['explain', 'hpa', '--api-version=autoscaling/v2', '--recursive'])).toContain('behavior');
  });

  test('apply says created, then unchanged, then configured', async () => {
    const apply = (text: string): Promise<string> => suite.kubectl.ok(['apply', '-f', '-'], { stdin: text });
    expect(await apply(deployment('applied'))).toBe('deployment.apps/applied created\n');
    expect(await apply(deployment('applied'))).toBe('deployment.apps/applied unchanged\n');
    expect(await apply(deployment('applied', 3))).toBe('deployment.apps/applied configured\n');
  });

  test('create rejects a name that is taken', async () => {
    await suite.kubectl.ok(['create', 'configmap', 'taken', '--from-literal=a=1']);
    const again = await suite.kubectl.run(['create', 'configmap', 'taken', '--from-literal=a=1']);
    expect(again.stderr).toBe('error: failed to create configmap: configmaps "taken" already exists\n');
    expect(again.code).toBe(1);
  });

  test('get prints tables, wide tables, yaml, json, names and custom columns', async () => {
    await suite.kubectl.ok(['apply', '-f', '-'], { stdin: deployment('shown') });
    const lines = async (...args: string[]): Promise<string[]> =>
      (await suite.kubectl.ok(['get', 'deployment', 'shown', ...args]))
        .trim()
        .split('\n')
        .map((line) => line.trim());
    expect((await lines())[0]).toMatch(/^NAME +READY +UP-TO-DATE +AVAILABLE +AGE$/);
    expect((await lines())[1]).toMatch(/^shown +0\/2 +0 +0 +\d+[ms]\w*$/);
    expect((await lines('-o', 'wide'))[0]).toMatch(/CONTAINERS +IMAGES +SELECTOR$/);
    expect((await lines('-o', 'wide'))[1]).toMatch(/web +nginx:1\.27 +app=shown$/);
    expect(await lines('-o', 'name')).toEqual(['deployment.apps/shown']);
    expect(await lines('-o', 'custom-columns=N:.metadata.name,R:.spec.replicas')).toEqual(['N       R', 'shown   2']);
    expect((await lines('-o', 'yaml'))[0]).toBe('apiVersion: apps/v1');
    expect(JSON.parse((await lines('-o', 'json')).join('\n')).spec.strategy).toEqual({
      type: 'RollingUpdate',
      rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' },
    });
  });

  test('get pages with --chunk-size and selects by label and field', async () => {
    await suite.kubectl.ok(['create', 'namespace', 'paged']);
    await suite.kubectl.ok(['apply', '-n', 'paged', '-f', '-'], {
      stdin: Array.from({ length: 7 }, (_, index) => pod(`p${index}`, index % 2 ? 'odd' : 'even')).join('---'),
    });
    const names = async (...args: string[]): Promise<number> =>
      (await suite.kubectl.ok(['get', 'pods', '-n', 'paged', '-o', 'name', ...args])).trim().split('\n').length;
    expect(await names('--chunk-size=2')).toBe(7);
    expect(await names('-l', 'group=odd')).toBe(3);
    expect(await names('-l', 'group notin (odd)')).toBe(4);
    expect(await names('--field-selector', 'metadata.name=p3')).toBe(1);
    expect(await names('--field-selector', 'status.phase=Pending')).toBe(7);
  });

  test('get -w shows changes as they happen', async () => {
    await suite.kubectl.ok(['create', 'configmap', 'watched', '--from-literal=a=1']);
    const watch = suite.kubectl.start(['get', 'configmap', 'watched', '-w', '-o', 'jsonpath={.data.a}{"\\n"}']);
    let seen = '';
    await new Promise<void>((resolve, reject) => {
      watch.stdout?.on('data', async (text: Buffer) => {
        seen += text.toString();
        if (seen === '1\n') {
          suite.kubectl.ok(['patch', 'configmap', 'watched', '-p', '{"data":{"a":"2"}}']).catch(reject);
        }
        if (seen === '1\n2\n') resolve();
      });
      watch.once('exit', () => reject(new Error(`the watch ended: ${seen}`)));
    });
    watch.kill();
    expect(seen).toBe('1\n2\n');
  });

  test('describe prints an object', async () => {
    await suite.kubectl.ok(['apply', '-f', '-'], { stdin: deployment('described') });
    expect(await suite.kubectl.ok(['describe', 'deployment', 'described'])).toMatch(/StrategyType: +RollingUpdate/);
    await suite.kubectl.ok(['apply', '-f', '-'], { stdin: pod('described') });
    expect(await suite.kubectl.ok(['describe', 'pod', 'described'])).toMatch(/QoS Class: +BestEffort/);
    expect(await suite.kubectl.ok(['describe', 'namespace', 'default'])).toMatch(/Status: +Active/);
  });

  test('edit, label, annotate, scale and set image change an object', async () => {
    await suite.kubectl.ok(['apply', '-f', '-'], { stdin: deployment('changed') });
    const env = { KUBE_EDITOR: 'sed -i s/replicas:.2/&4/' };
    expect(await suite.kubectl.ok(['edit', 'deployment', 'changed'], { env })).toBe('deployment.apps/changed edited\n');
    await suite.kubectl.ok(['label', 'deployment', 'changed', 'tier=web']);
    await suite.kubectl.ok(['annotate', 'deployment', 'changed', 'note=hello']);
    await suite.kubectl.ok(['set', 'image', 'deployment/changed', 'web=nginx:1.28']);
    expect(await suite.kubectl.ok(['scale', 'deployment', 'changed', '--replicas=5'])).toBe('deployment.apps/changed scaled\n');
    const object = JSON.parse(await suite.kubectl.ok(['get', 'deployment', 'changed', '-o', 'json']));
    expect(object.metadata.labels).toEqual({ app: 'changed', tier: 'web' });
    expect(object.metadata.annotations.note).toBe('hello');
    expect(object.spec.replicas).toBe(5);
    expect(object.spec.template.spec.containers[0].image).toBe('nginx:1.28');
    // all changes count, except the label's
    expect(object.metadata.generation).toBe(5);
  });

  test.each([
    ['json', '[{"op":"replace","path":"/spec/replicas","value":7}]'],
    ['merge', '{"spec":{"replicas":8}}'],
    ['strategic', '{"spec":{"replicas":9,"template":{"spec":{"containers":[{"name":"web","tty":true}]}}}}'],
  ])('patch --type=%s', async (type, patch) => {
    const name = `patched-${type}`;
    await suite.kubectl.ok(['apply', '-f', '-'], { stdin: deployment(name) });
    expect(await suite.kubectl.ok(['patch', 'deployment', name, `--type=${type}`, '-p', patch])).toBe(`deployment.apps/${name} patched\n`);
    const { spec } = JSON.parse(await suite.kubectl.ok(['get', 'deployment', name, '-o', 'json']));
    expect(spec.replicas).toBe({ json: 7, merge: 8, strategic: 9 }[type]);
    expect(spec.template.spec.containers[0].image).toBe('nginx:1.27');
  });

  test('replace updates an object, and diff shows changes', async () => {
    await suite.kubectl.ok(['create', '-f', '-'], { stdin: deployment('replaced') });
    expect(await suite.kubectl.ok(['replace', '-f', '-'], { stdin: deployment('replaced', 6) })).toBe(
      'deployment.apps/replaced replaced\n',
    );
    const diff = await suite.kubectl.run(['diff', '-f', '-'], { stdin: deployment('replaced', 1) });
    expect(diff.code).toBe(1);
    expect(diff.stdout).toMatch(/^-\s+replicas: 6$/m);
    expect(diff.stdout).toMatch(/^\+\s+replicas: 1$/m);
    expect((await suite.kubectl.run(['diff', '-f', '-'], { stdin: deployment('replaced', 6) })).code).toBe(0);
  });

  test('delete waits until the object is deleted', async () => {
    await suite.kubectl.ok(['create', 'configmap', 'doomed']);
    expect(await suite.kubectl.ok(['delete', 'configmap', 'doomed'])).toBe('configmap "doomed" deleted from default namespace\n');
    const gone = await suite.kubectl.run(['get', 'configmap', 'doomed']);
    expect(gone.stderr).toBe('Error from server (NotFound): configmaps "doomed" not found\n');
  });

  test('deleting a namespace deletes its content', async () => {
    await suite.kubectl.ok(['create', 'namespace', 'short-lived']);
    await suite.kubectl.ok(['create', 'configmap', 'inside', '-n', 'short-lived']);
    await suite.kubectl.ok(['delete', 'namespace', 'short-lived', '--timeout=120s']);
    expect(await suite.kubectl.ok(['get', 'configmaps', '-A', '-o', 'name'])).not.toContain('inside');
  });

  test.each(['default', 'kube-system', 'kube-public'])('namespace %s cannot be deleted', async (name) => {
    const rejected = await suite.kubectl.run(['delete', 'namespace', name]);
    expect(rejected.stderr).toBe(`Error from server (Forbidden): namespaces "${name}" is forbidden: this namespace may not be deleted\n`);
  });

  test('apply --server-side owns fields, and reports conflicts', async () => {
    const apply = (value: string, ...args: string[]) =>
      suite.kubectl.run(['apply', '--server-side', '-f', '-', ...args], {
        stdin: `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"owned"},"data":{"a":"${value}"}}`,
      });
    expect((await apply('1')).stdout).toBe('configmap/owned serverside-applied\n');
    await suite.kubectl.ok(['patch', 'configmap', 'owned', '-p', '{"data":{"a":"2"}}']);
    const rejected = await apply('3');
    expect(rejected.code).toBe(1);
    expect(rejected.stderr).toContain('Apply failed with 1 conflict: conflict with "kubectl-patch" using v1: .data.a');
    expect((await apply('3', '--force-conflicts')).code).toBe(0);
  });

  test('wait --for waits for a condition', async () => {
    await suite.kubectl.ok(['apply', '-f', '-'], { stdin: deployment('awaited') });
    const waiting = suite.kubectl.ok(['wait', '--for=condition=Available', 'deployment/awaited', '--timeout=120s']);
    const status = { conditions: [{ type: 'Available', status: 'True' }] };
    await suite.kubectl.ok(['patch', 'deployment', 'awaited', '--subresource=status', '--type=merge', '-p', JSON.stringify({ status })]);
    expect(await waiting).toBe('deployment.apps/awaited condition met\n');
  });

  test('rollout status ends when the rollout is complete', async () => {
    await suite.kubectl.ok(['apply', '-f', '-'], { stdin: deployment('rolled') });
    const rollout = suite.kubectl.ok(['rollout', 'status', 'deployment/rolled', '--timeout=120s']);
    const status = { observedGeneration: 1, replicas: 2, updatedReplicas: 2, readyReplicas: 2, availableReplicas: 2 };
    await suite.kubectl.ok(['patch', 'deployment', 'rolled', '--subresource=status', '--type=merge', '-p', JSON.stringify({ status })]);
    expect(await rollout).toContain('deployment "rolled" successfully rolled out');
  });

  test('auth can-i and auth whoami show permissions and the user', async () => {
    expect(await suite.kubectl.ok(['auth', 'can-i', 'delete', 'pods'])).toBe('yes\n');
    expect(await suite.kubectl.ok(['auth', 'can-i', '--list'])).toContain('Resources');
    expect(await suite.kubectl.ok(['auth', 'whoami', '-o', 'jsonpath={.status.userInfo.groups}'])).toContain('system:masters');
  });

  test('events lists the events of an object', async () => {
    const now = new Date().toISOString().replace(/\.\d+Z$/, 'Z');
    const event = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'seen.1', namespace: 'default' },
      involvedObject: { apiVersion: 'v1', kind: 'Pod', name: 'seen', namespace: 'default' },
      reason: 'Started',
      message: 'Started the main container',
      type: 'Normal',
      firstTimestamp: now,
      lastTimestamp: now,
      count: 1,
    };
    await suite.kubectl.ok(['create', '-f', '-'], { stdin: JSON.stringify(event) });
    expect(await suite.kubectl.ok(['events', '--for=pod/seen'])).toMatch(/Normal +Started +Pod\/seen +Started the main container/);
    expect(await suite.kubectl.ok(['get', 'events', '--field-selector=involvedObject.name=seen'])).toMatch(/pod\/seen/);
  });

  test('cluster-info shows the address of the server', async () => {
    expect(await suite.kubectl.ok(['get', 'namespaces', '-o', 'name'])).toMatch(/namespace\/kube-node-lease/);
    expect(await suite.kubectl.ok(['get', '--raw', '/readyz?verbose'])).toContain('readyz check passed');
    expect(await suite.kubectl.ok(['cluster-info'])).toContain('Kubernetes control plane');
  });
});
