import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type RunningServer, startServer } from '../../../runtime/index.ts';
import { describeKubectl, Kubectl, type Result } from '../../support/kubectl.ts';
import { NamespaceUser } from '../../support/kubectl-simulation.ts';

const controller = (name: string, replicas = 1): string => `
apiVersion: v1
kind: ReplicationController
metadata: {name: ${name}, labels: {app: ${name}}}
spec:
  replicas: ${replicas}
  selector: {app: ${name}}
  template:
    metadata: {labels: {app: ${name}}}
    spec: {containers: [{name: main, image: "agnhost:1", ports: [{name: server, containerPort: 6379}]}]}
`;

/** Upstream's conformance tests, with their titles. (test/e2e/kubectl/kubectl.go, logs.go) */
describeKubectl('Kubectl client', () => {
  let server: RunningServer;
  const user = new NamespaceUser('kubectl');
  beforeAll(async () => {
    server = await startServer({ simulate: { forwardToLocalhost: true } });
    user.use(await Kubectl.for(server.kubeconfig));
    await user.kubectl.ok(['create', 'namespace', user.namespace]);
  });
  afterAll(async () => {
    await user.close();
    await server?.close();
  });

  const running = (app: string, count: number): Promise<string> =>
    user.ok(`wait rc/${app} --for jsonpath={.status.readyReplicas}=${count} --timeout 30s`);

  test('Update Demo should create and stop a replication controller', async () => {
    await user.apply(controller('demo', 2));
    await running('demo', 2);
    await user.ok('delete rc demo --grace-period 0 --cascade=foreground --timeout 30s');
    expect((await user.get('pods --selector app=demo')).items).toEqual([]);
  });

  test('Update Demo should scale a replication controller', async () => {
    await user.apply(controller('scaled', 2));
    for (const count of [1, 2]) {
      await user.ok(`scale rc scaled --replicas ${count} --timeout 30s`);
      await running('scaled', count);
    }
  });

  test('Guestbook application should create and stop a working application', async () => {
    // a server in place of the frontend's containers, which alone receive requests from outside
    const entries: string[] = [];
    const frontend = createServer(({ url = '' }, response) => {
      const { pathname, searchParams } = new URL(url, 'http://frontend');
      if (searchParams.get('cmd') === 'set') entries.push(searchParams.get('value') ?? '');
      const answer = searchParams.get('cmd') === 'set' ? { message: 'Updated' } : { data: entries.join(',') };
      response.end(pathname === '/guestbook' ? JSON.stringify(answer) : '');
    });
    const port = await listen(frontend);
    const manifests = [
      ...guestbook({
        name: 'agnhost-replica',
        labels: 'app: agnhost, role: replica, tier: backend',
        replicas: 2,
        port: 6379,
      }),
      ...guestbook({
        name: 'agnhost-primary',
        labels: 'app: agnhost, role: primary, tier: backend',
        replicas: 1,
        port: 6379,
      }),
      ...guestbook({
        name: 'frontend',
        labels: 'app: guestbook, tier: frontend',
        replicas: 3,
        port: 80,
        serves: `127.0.0.1:${port}`,
      }),
    ];
    const each = async (verb: string): Promise<void> => {
      for (const manifest of manifests) await user.run(verb, [], manifest).then(expectSuccess);
    };
    const ask = (query: string): Promise<string> => {
      const path = `/api/v1/namespaces/${user.namespace}/services/frontend/proxy/guestbook?key=messages&${query}`;
      return user.kubectl.ok(['get', '--raw', path]);
    };
    try {
      await each('create --filename -');
      await user.ok('rollout status deployment frontend --timeout 30s');
      await user.ok(
        'wait endpointslice --selector kubernetes.io/service-name=frontend --timeout 30s --for',
        'jsonpath={.endpoints[0].conditions.ready}=true',
      );
      expect(await ask('cmd=get&value=')).toBe('{"data":""}');
      expect(await ask('cmd=set&value=TestEntry')).toBe('{"message":"Updated"}');
      expect(await ask('cmd=get&value=')).toBe('{"data":"TestEntry"}');
      await each('delete --grace-period 0 --force --filename -');
      await user.ok('wait pods --selector tier --for delete --timeout 30s');
      expect((await user.get('pods,services,deployments --selector tier')).items).toEqual([]);
    } finally {
      frontend.closeAllConnections();
      frontend.close();
    }
  });

  test('Kubectl api-versions should check if v1 is in available api versions', async () => {
    expect((await user.ok('api-versions')).split('\n')).toContain('v1');
  });

  test('Kubectl cluster-info should check if Kubernetes control plane services is included in cluster-info', async () => {
    expect(await user.ok('cluster-info')).toMatch(/Kubernetes control plane.* is running at/);
  });

  test('Kubectl describe should check if kubectl describe prints relevant information for rc and pods', async () => {
    await user.apply(controller('described'));
    await running('described', 1);
    const [pod] = (await user.get('pods --selector app=described')).items;
    const shown = await user.ok(`describe pod ${pod.metadata.name}`);
    for (const line of [/^Namespace: +kubectl$/m, /^Node: +kubeloom-node-0\/172\./m, /^Status: +Running$/m]) expect(shown).toMatch(line);
    expect(shown).toMatch(/^Controlled By: +ReplicationController\/described$/m);
    expect(await user.ok('describe rc described')).toMatch(/^Pods Status: +1 Running \/ 0 Waiting/m);
    expect(await user.ok('describe node kubeloom-node-0')).toMatch(/^Conditions:\n +Type +Status/m);
    expect(await user.ok('describe namespace kubectl')).toMatch(/^Status: +Active$/m);
  });

  test('Kubectl diff should check if kubectl diff finds a difference for Deployments', async () => {
    await user.ok('create deployment differs --image busybox:1');
    const live = await user.get('deployment differs');
    live.spec.template.spec.containers[0].image = 'busybox:2';
    const { code, stdout } = await user.run('diff --filename -', [], JSON.stringify(live));
    expect([code, stdout]).toEqual([1, expect.stringMatching(/^-.*busybox:1\n\+.*busybox:2$/m)]);
  });

  test('Kubectl expose should create services for rc', async () => {
    await user.apply(controller('exposed'));
    await running('exposed', 1);
    await user.ok('expose rc exposed --name rm2 --port 1234 --target-port 6379');
    await user.ok('expose service rm2 --name rm3 --port 2345 --target-port 6379');
    for (const name of ['rm2', 'rm3']) {
      const served = `endpointslice --selector kubernetes.io/service-name=${name} --timeout 30s`;
      await user.ok(`wait ${served} --for=jsonpath={.endpoints[0].conditions.ready}=true`);
      const { items } = await user.get(`endpointslices --selector kubernetes.io/service-name=${name}`);
      expect(items[0].ports).toMatchObject([{ port: 6379 }]);
    }
  });

  test('Kubectl label should update the label on a resource', async () => {
    await user.ok('run labelled --image busybox');
    await user.ok('label pods labelled testing-label=testing-label-value');
    expect(await user.ok('get pod labelled -L testing-label')).toContain('testing-label-value');
    await user.ok('label pods labelled testing-label-');
    expect(await user.ok('get pod labelled -L testing-label')).not.toContain('testing-label-value');
  });

  test('Kubectl patch should add annotations for pods in rc', async () => {
    await user.apply(controller('patched'));
    await running('patched', 1);
    const [{ metadata }] = (await user.get('pods --selector app=patched')).items;
    await user.ok(`patch pod ${metadata.name} --patch`, '{"metadata":{"annotations":{"x":"y"}}}');
    expect((await user.get(`pod ${metadata.name}`)).metadata.annotations).toMatchObject({ x: 'y' });
  });

  test("Kubectl replace should update a single-container pod's image", async () => {
    await user.ok('run replaced --image busybox:1');
    await user.ok('wait pod/replaced --for condition=Ready --timeout 30s');
    const pod = await user.get('pod replaced');
    pod.spec.containers[0].image = 'busybox:2';
    const { code } = await user.run('replace --filename -', [], JSON.stringify(pod));
    expect([code, (await user.get('pod replaced')).spec.containers[0].image]).toEqual([0, 'busybox:2']);
  });

  test('Kubectl run pod should create a pod from an image when restart is Never', async () => {
    await user.ok('run never --image busybox --restart Never');
    expect((await user.get('pod never')).spec).toMatchObject({
      restartPolicy: 'Never',
      containers: [{ image: 'busybox' }],
    });
  });

  test('Kubectl server-side dry-run should check if kubectl can dry-run update Pods', async () => {
    await user.ok('run dry --image busybox:1');
    const patch = '{"spec":{"containers":[{"name":"dry","image":"busybox:2"}]}}';
    await user.ok('patch pod dry --dry-run=server --patch', patch);
    expect((await user.get('pod dry')).spec.containers[0].image).toBe('busybox:1');
  });

  test('Kubectl version should check is all data is printed', async () => {
    expect(await user.ok('version')).toMatch(/^Client Version: v[\s\S]+^Server Version: v1\.35/m);
  });

  test('Proxy server should support proxy with --port 0', async () => {
    const proxy = user.kubectl.start(['proxy', '--port', '0']);
    try {
      const [line] = (await firstText(proxy.stdout as NodeJS.ReadableStream)).split('\n');
      const port = Number(/127\.0\.0\.1:(\d+)/.exec(line)?.[1]);
      expect(await read({ port, host: '127.0.0.1' })).toMatchObject({ kind: 'APIVersions', versions: ['v1'] });
    } finally {
      proxy.kill();
    }
  });

  test('Proxy server should support --unix-socket=/path', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kubeloom-proxy-'));
    const socketPath = join(folder, 'socket');
    const proxy = user.kubectl.start(['proxy', `--unix-socket=${socketPath}`]);
    try {
      await firstText(proxy.stdout as NodeJS.ReadableStream);
      expect(await read({ socketPath })).toMatchObject({ kind: 'APIVersions', versions: ['v1'] });
    } finally {
      proxy.kill();
      await rm(folder, { recursive: true });
    }
  });

  test('Kubectl logs logs should be able to retrieve and filter logs', async () => {
    await user.ok('run logs-generator --image busybox --annotations', 'simulation.kubeloom.dev/log=one\ntwo\nthree');
    await user.ok('wait pod/logs-generator --for condition=Ready --timeout 30s');
    const logs = (options = ''): Promise<string> => user.ok(`logs logs-generator${options}`);
    expect(await logs()).toBe('one\ntwo\nthree\n');
    expect(await logs(' --tail=1')).toBe('three\n');
    expect(await logs(' --limit-bytes=1')).toBe('o');
    expect(await logs(' --tail=1 --timestamps')).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z three\n$/);
    expect(await logs(' --since=24h')).toBe('one\ntwo\nthree\n');
  });
});

/** Returns the manifests of a service of the guestbook and its pods. */
function guestbook(of: { name: string; labels: string; replicas: number; port: number; serves?: string }): string[] {
  const { name, labels, replicas, port, serves } = of;
  const metadata = `{name: ${name}, labels: {${labels}}}`;
  const annotations = serves === undefined ? '' : `, annotations: {simulation.kubeloom.dev/port.${port}: "${serves}"}`;
  return [
    `{apiVersion: v1, kind: Service, metadata: ${metadata}, spec: {ports: [{port: ${port}}], selector: {${labels}}}}`,
    `
apiVersion: apps/v1
kind: Deployment
metadata: ${metadata}
spec:
  replicas: ${replicas}
  selector: {matchLabels: {${labels}}}
  template:
    metadata: {labels: {${labels}}${annotations}}
    spec:
      containers:
      - name: main
        image: agnhost:2.53
        args: [guestbook, --backend-port, "6379"]
        resources: {requests: {cpu: 100m, memory: 100Mi}}
        ports: [{containerPort: ${port}}]
`,
  ];
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const expectSuccess = ({ code, stderr }: Result): void =>
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });

const firstText = async (stream: NodeJS.ReadableStream): Promise<string> => String((await once(stream, 'data'))[0]);

/** Returns the response of kubectl's proxy to a request for /api/. */
function read(where: { port: number; host: string } | { socketPath: string }): Promise<object> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ ...where, path: '/api/' }, (response) => text(response).then((body) => resolve(JSON.parse(body)), reject));
    outgoing.on('error', reject).end();
  });
}
