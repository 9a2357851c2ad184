import type { ChildProcess } from 'node:child_process';
import { afterEach, beforeAll, expect, test } from '@jest/globals';
import { describeKubectl } from '../support/kubectl.ts';
import type { KubectlVersion } from '../support/kubectl-binary.ts';
import { TestServer } from '../support/test-server.ts';

const versions: readonly KubectlVersion[] = ['1.35', '1.32'];

const pod = (name: string, namespace: string, labels: Record<string, string> = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace, labels },
  spec: { containers: [{ name: 'main', image: 'busybox:1.36' }] },
});

const deployment = (name: string, namespace: string, replicas: number) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'web', image: 'nginx:1.27' }] } },
  },
});

/** The output of a running kubectl, by line. */
class Printed {
  readonly child: ChildProcess;
  #text = '';
  #wake = (): void => {};
  #ended = false;

  constructor(child: ChildProcess) {
    this.child = child;
    child.stdout?.on('data', (data: Buffer) => {
      this.#text += data.toString();
      this.#wake();
    });
    child.once('exit', () => {
      this.#ended = true;
      this.#wake();
    });
  }

  /** Resolves with the first `count` lines when they are printed. */
  async lines(count: number): Promise<string[]> {
    for (;;) {
      const lines = this.#text.split('\n');
      if (lines.length > count) return lines.slice(0, count).map((line) => line.trimEnd());
      if (this.#ended) throw new Error(`kubectl ended after: ${this.#text}`);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

for (const version of versions) {
  describeKubectl(`kubectl ${version} reads`, () => {
    const suite = TestServer.withKubectl(version);
    const running: ChildProcess[] = [];

    beforeAll(async () => {
      for (const namespace of ['one', 'two']) await suite.kubectl.ok(['create', 'namespace', namespace]);
      await apply(
        pod('a', 'one', { tier: 'web' }),
        pod('b', 'one', { tier: 'db' }),
        pod('c', 'one', { tier: 'web' }),
        pod('a', 'two'),
        deployment('large', 'one', 9),
        deployment('small', 'one', 1),
        deployment('middle', 'one', 5),
        {
          apiVersion: 'v1',
          kind: 'Service',
          metadata: { name: 'svc', namespace: 'one' },
          spec: { ports: [{ port: 80 }] },
        },
      );
    });
    afterEach(() => {
      for (const child of running.splice(0)) child.kill();
    });

    const apply = (...items: object[]) =>
      suite.kubectl.ok(['apply', '-f', '-'], { stdin: JSON.stringify({ apiVersion: 'v1', kind: 'List', items }) });

    const lines = async (...args: string[]): Promise<string[]> =>
      (await suite.kubectl.ok(['get', ...args]))
        .trimEnd()
        .split('\n')
        .map((line) => line.trimEnd());
    /** Returns the first word of each line. */
    const firsts = async (...args: string[]): Promise<string[]> => (await lines(...args)).map((line) => line.split(/ +/)[0]);

    function watching(...args: string[]): Printed {
      const child = suite.kubectl.start(['get', ...args]);
      running.push(child);
      return new Printed(child);
    }

    test('-w prints the table, then a row for each change', async () => {
      await suite.kubectl.ok(['create', 'configmap', 'w', '-n', 'one', '--from-literal=a=1']);
      const printed = watching('configmap', 'w', '-n', 'one', '-w');
      await printed.lines(2);
      await suite.kubectl.ok(['patch', 'configmap', 'w', '-n', 'one', '-p', '{"data":{"b":"2"}}']);
      await suite.kubectl.ok(['delete', 'configmap', 'w', '-n', 'one']);
      const [header, ...rows] = await printed.lines(4);
      expect(header).toMatch(/^NAME +DATA +AGE$/);
      expect(rows.map((row) => row.split(/ +/).slice(0, 2))).toEqual([
        ['w', '1'],
        ['w', '2'],
        ['w', '2'],
      ]);
    });

    test('-w --output-watch-events -l prints objects that start and stop matching', async () => {
      const labels = (value: string) => ['label', 'configmap', 'l', '-n', 'two', '--overwrite', `watched=${value}`];
      await suite.kubectl.ok(['create', 'configmap', 'l', '-n', 'two']);
      await suite.kubectl.ok(['create', 'configmap', 'l0', '-n', 'two']);
      await suite.kubectl.ok(['label', 'configmap', 'l0', '-n', 'two', 'watched=yes']);
      const printed = watching('configmaps', '-n', 'two', '-w', '--output-watch-events', '-l', 'watched=yes');
      await printed.lines(2);
      for (const value of ['yes', 'no', 'yes']) await suite.kubectl.ok(labels(value));
      const rows = (await printed.lines(5)).map((line) => line.split(/ +/).slice(0, 2).join(' '));
      expect(rows).toEqual(['EVENT NAME', 'ADDED l0', 'ADDED l', 'DELETED l', 'ADDED l']);
    });

    test('--watch-only prints changes without initial events', async () => {
      const printed = watching('pods', '-n', 'two', '--watch-only', '-o', 'name');
      // kubectl lists before it watches, and prints nothing in between: change the object until a change is printed
      let isPrinted = false;
      const first = printed.lines(1).then(([line]) => {
        isPrinted = true;
        return line;
      });
      for (let count = 0; !isPrinted; count++) {
        await suite.kubectl.ok(['annotate', 'pod', 'a', '-n', 'two', '--overwrite', `count=${count}`]);
      }
      expect(await first).toBe('pod/a');
    });

    test('--chunk-size=2 prints all pages in one table', async () => {
      const result = await suite.kubectl.run(['get', 'pods', '-n', 'one', '--chunk-size=2', '-v=6']);
      expect(
        result.stdout
          .trimEnd()
          .split('\n')
          .map((line) => line.split(/ +/)[0]),
      ).toEqual(['NAME', 'a', 'b', 'c']);
      const pages = result.stderr.split('\n').filter((line) => line.includes('/pods?') && line.includes('limit=2'));
      expect(pages).toHaveLength(2);
      expect(pages[1]).toContain('continue=');
    });

    test.each([
      ['pods', 'NAME READY STATUS RESTARTS AGE', 'IP NODE NOMINATED NODE READINESS GATES'],
      ['deployments', 'NAME READY UP-TO-DATE AVAILABLE AGE', 'CONTAINERS IMAGES SELECTOR'],
      ['services', 'NAME TYPE CLUSTER-IP EXTERNAL-IP PORT(S) AGE', 'SELECTOR'],
      ['namespaces', 'NAME STATUS AGE', ''],
      ['clusterroles', 'NAME CREATED AT', ''],
    ])('%s and %s -o wide print their columns', async (resource, narrow, wide) => {
      const header = async (...args: string[]) => (await lines(resource, '-n', 'one', ...args))[0].replace(/ +/g, ' ');
      if (resource === 'clusterroles') {
        await suite.kubectl.ok(['create', 'clusterrole', 'r', '--verb=get', '--resource=pods']);
        // a column that ends in a date is printed unchanged
        expect(await lines(resource)).toContainEqual(expect.stringMatching(/^r +\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/));
      }
      expect(await header()).toBe(narrow);
      expect(await header('-o', 'wide')).toBe(`${narrow} ${wide}`.trim());
    });

    test('--sort-by sorts by fields of any type', async () => {
      expect(await firsts('deployments', '-n', 'one', '--sort-by=.spec.replicas')).toEqual(['NAME', 'small', 'middle', 'large']);
      expect(await firsts('pods', '-n', 'one', '--sort-by=.metadata.name', '--no-headers')).toEqual(['a', 'b', 'c']);
      expect((await firsts('pods', '-A', '--sort-by={.metadata.creationTimestamp}')).length).toBe(5);
    });

    test('-o custom-columns, jsonpath, go-template and name print fields', async () => {
      const columns = 'custom-columns=NAME:.metadata.name,IMAGE:.spec.containers[*].image,NONE:.spec.nodeName';
      expect((await lines('pods', '-n', 'one', '-o', columns)).map((line) => line.replace(/ +/g, ' '))).toEqual([
        'NAME IMAGE NONE',
        'a busybox:1.36 <none>',
        'b busybox:1.36 <none>',
        'c busybox:1.36 <none>',
      ]);
      expect(await lines('pods', '-n', 'one', '-o', 'jsonpath={.items[*].metadata.name}')).toEqual(['a b c']);
      const template = '{{range .items}}{{.metadata.name}}/{{.status.phase}} {{end}}';
      expect(await lines('pods', '-n', 'one', '-o', `go-template=${template}`)).toEqual(['a/Pending b/Pending c/Pending']);
    });

    test('-L, --show-labels and --show-kind add to the table', async () => {
      const [header, row] = await lines('pods', '-n', 'one', '-L', 'tier', '--show-labels', '--show-kind');
      expect(header).toMatch(/ TIER +LABELS$/);
      expect(row).toMatch(/^pod\/a .* web +tier=web$/);
    });

    test('-A prints namespaces; several resources have separate tables', async () => {
      const [header, ...rows] = await lines('pods', '-A');
      expect(header).toMatch(/^NAMESPACE +NAME /);
      expect(rows.map((row) => row.split(/ +/).slice(0, 2).join('/'))).toEqual(['one/a', 'one/b', 'one/c', 'two/a']);
      const tables = (await suite.kubectl.ok(['get', 'pods,deploy,svc', '-n', 'one'])).split('\n\n');
      expect(tables.map((table) => table.split(/ +/, 1)[0])).toEqual(['NAME', 'NAME', 'NAME']);
      expect(tables[1]).toMatch(/^deployment\.apps\/large /m);
      expect(await lines('pod/a', 'deployment/small', '-n', 'one', '-o', 'name')).toEqual(['pod/a', 'deployment.apps/small']);
      expect((await suite.kubectl.ok(['get', 'all', '-n', 'one'])).match(/^service\/svc /m)).not.toBeNull();
    });

    test('--subresource prints the status, and the scale with its own columns', async () => {
      const [header, row] = await lines('deployment', 'small', '-n', 'one', '--subresource=scale');
      expect(header).toMatch(/^NAME +DESIRED +AVAILABLE +AGE$/);
      expect(row).toMatch(/^small +1 +0 +\d+[ms]\w*$/);
      expect(await firsts('deployment', 'small', '-n', 'one', '--subresource=status')).toEqual(['NAME', 'small']);
    });

    test('--raw prints the response, --ignore-not-found nothing, and an absent object is an error', async () => {
      const { items } = JSON.parse(await suite.kubectl.ok(['get', '--raw', '/api/v1/namespaces/one/pods?limit=1']));
      expect(items).toHaveLength(1);
      expect(await suite.kubectl.ok(['get', 'pod', 'gone', '-n', 'one', '--ignore-not-found'])).toBe('');
      expect((await suite.kubectl.run(['get', 'pod', 'gone', '-n', 'one'])).stderr).toBe(
        'Error from server (NotFound): pods "gone" not found\n',
      );
      expect((await suite.kubectl.run(['get', 'pods', '-n', 'nothing'])).stderr).toBe('No resources found in nothing namespace.\n');
      const rejected = await suite.kubectl.run(['get', 'pods', '--field-selector=spec.colour=red']);
      expect(rejected.stderr).toContain('field label not supported: spec.colour');
    });

    test('events prints the oldest first', async () => {
      const event = (name: string, at: string) => ({
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { name, namespace: 'one' },
        involvedObject: { apiVersion: 'v1', kind: 'Pod', name, namespace: 'one' },
        reason: 'Started',
        message: `of ${name}`,
        type: 'Normal',
        firstTimestamp: at,
        lastTimestamp: at,
        count: 1,
      });
      await apply(event('b', '2020-01-01T00:00:00Z'), event('a', '2020-01-02T00:00:00Z'));
      const [header, ...rows] = await lines('events', '-n', 'one');
      expect(header).toMatch(/^LAST SEEN +TYPE +REASON +OBJECT +MESSAGE$/);
      expect(rows.map((row) => row.split(/ {2,}/).slice(3).join(': ')).sort()).toEqual(['pod/a: of a', 'pod/b: of b']);
      const sorted = await suite.kubectl.ok(['events', '-n', 'one']);
      expect(sorted.indexOf('of b')).toBeLessThan(sorted.indexOf('of a'));
      expect(await lines('events', '-n', 'one', '--field-selector=involvedObject.name=b', '-o', 'name')).toEqual(['event/b']);
    });

    test('wait --for waits for a value, a creation and a deletion', async () => {
      await suite.kubectl.ok(['create', 'configmap', 'awaited', '-n', 'one']);
      const wait = (...args: string[]) => suite.kubectl.ok(['wait', ...args, '-n', 'one', '--timeout=120s']);
      const valued = wait('--for=jsonpath={.data.done}=yes', 'configmap/awaited');
      const made = wait('--for=create', 'configmap/later');
      await suite.kubectl.ok(['patch', 'configmap', 'awaited', '-n', 'one', '-p', '{"data":{"done":"yes"}}']);
      expect(await valued).toBe('configmap/awaited condition met\n');
      await suite.kubectl.ok(['create', 'configmap', 'later', '-n', 'one']);
      expect(await made).toBe('configmap/later condition met\n');
      const gone = wait('--for=delete', 'configmap/later');
      await suite.kubectl.ok(['delete', 'configmap', 'later', '-n', 'one', '--wait=false']);
      expect(await gone).toMatch(/^(configmap\/later condition met\n)?$/);
    });
  });
}
