import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { startServer } from '../../runtime/index.ts';
import { describeKubectl, Kubectl } from '../support/kubectl.ts';
import { testShared } from '../support/shared.ts';
import { TestServer } from '../support/test-server.ts';

const crd = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: crontabs.stable.example.com}
spec:
  group: stable.example.com
  scope: Namespaced
  names: {plural: crontabs, singular: crontab, kind: CronTab, shortNames: [ct], categories: [all]}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}, scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas}}
    additionalPrinterColumns:
    - {name: Schedule, type: string, jsonPath: .spec.schedule}
    - {name: Replicas, type: integer, jsonPath: .spec.replicas, priority: 1}
    - {name: Age, type: date, jsonPath: .metadata.creationTimestamp}
    schema:
      openAPIV3Schema:
        type: object
        description: CronTab is the schema of the tests
        properties:
          spec:
            type: object
            description: What is wanted
            required: [schedule]
            properties:
              schedule: {type: string, description: When it runs}
              replicas: {type: integer, minimum: 0, description: How many run}
              template: {type: object, x-kubernetes-preserve-unknown-fields: true, description: Anything}
          status: {type: object, properties: {replicas: {type: integer}}}
`;
const crontab = (name: string, spec = '{schedule: "* * * * *", replicas: 1}'): string => `
apiVersion: stable.example.com/v1
kind: CronTab
metadata: {name: ${name}}
spec: ${spec}
`;

for (const version of ['1.35', '1.32'] as const) {
  describeKubectl(`kubectl ${version} and custom resources`, () => {
    const suite = TestServer.withKubectl(version);
    beforeAll(async () => {
      await suite.kubectl.ok(['apply', '-f', '-'], { stdin: crd });
      await suite.kubectl.ok(['wait', '--for=condition=Established', 'crd/crontabs.stable.example.com', '--timeout=120s']);
    });

    test('creates, gets, describes, scales, patches and deletes', async () => {
      expect(await suite.kubectl.ok(['create', '-f', '-'], { stdin: crontab('one') })).toContain('crontab.stable.example.com/one created');
      expect(await suite.kubectl.ok(['get', 'ct'])).toMatch(/NAME +SCHEDULE +AGE\none +\* \* \* \* \* +\d+[ms]/);
      expect(await suite.kubectl.ok(['get', 'crontabs', '-o', 'wide'])).toMatch(/SCHEDULE +REPLICAS +AGE/);
      expect(await suite.kubectl.ok(['get', 'all'])).toContain('crontab.stable.example.com/one');
      expect(await suite.kubectl.ok(['describe', 'crontab', 'one'])).toContain('Schedule:  * * * * *');
      await suite.kubectl.ok(['scale', 'crontab/one', '--replicas=4']);
      expect(await suite.kubectl.ok(['get', 'ct', 'one', '-o', 'jsonpath={.spec.replicas}'])).toBe('4');
      await suite.kubectl.ok(['patch', 'ct', 'one', '--type=merge', '-p', '{"spec":{"schedule":"x"}}']);
      const rejected = await suite.kubectl.run(['patch', 'ct', 'one', '--type=strategic', '-p', '{"spec":{"schedule":"y"}}']);
      expect(rejected.stderr).toContain('application/strategic-merge-patch+json is not supported by stable.example.com/v1, Kind=CronTab');
      await suite.kubectl.ok(['label', 'ct', 'one', 'a=b']);
      await suite.kubectl.ok(['delete', 'ct', 'one']);
    });

    test('applies, without a change, with a change, and on the server', async () => {
      expect(await suite.kubectl.ok(['apply', '-f', '-'], { stdin: crontab('two') })).toContain('created');
      expect(await suite.kubectl.ok(['apply', '-f', '-'], { stdin: crontab('two') })).toContain('unchanged');
      const changed = crontab('two', '{schedule: "0 0 * * *"}');
      expect(await suite.kubectl.ok(['apply', '-f', '-'], { stdin: changed })).toContain('configured');
      expect(await suite.kubectl.ok(['get', 'ct', 'two', '-o', 'jsonpath={.spec}'])).toBe('{"schedule":"0 0 * * *"}');
      expect(await suite.kubectl.ok(['apply', '--server-side', '-f', '-'], { stdin: crontab('three') })).toContain('serverside-applied');
      expect((await suite.kubectl.run(['diff', '-f', '-'], { stdin: crontab('three') })).code).toBe(0);
    });

    test('explains fields with the descriptions of the definition', async () => {
      const top = await suite.kubectl.ok(['explain', 'crontabs']);
      expect(top).toMatch(/GROUP: +stable.example.com\nKIND: +CronTab\nVERSION: +v1/);
      expect(top).toContain('CronTab is the schema of the tests');
      const spec = await suite.kubectl.ok(['explain', 'ct.spec']);
      expect(spec).toContain('When it runs');
      expect(spec).toMatch(/schedule\t<string> -required-/);
      expect(await suite.kubectl.ok(['explain', 'ct.spec.replicas'])).toContain('How many run');
      expect(await suite.kubectl.ok(['explain', 'ct', '--recursive'])).toContain('schedule');
      expect((await suite.kubectl.run(['explain', 'ct.spec.bogus'])).stderr).toContain('field "bogus" does not exist');
    });

    test('reports unknown fields', async () => {
      const unknown = await suite.kubectl.run(['apply', '-f', '-'], {
        stdin: crontab('bad', '{schedule: x, bogus: 1}'),
      });
      expect(unknown.stderr).toContain('unknown field "spec.bogus"');
      const missing = await suite.kubectl.run(['apply', '-f', '-'], { stdin: crontab('bad', '{replicas: 1}') });
      expect(missing.stderr).toContain('spec.schedule: Required value');
      const any = crontab('any', '{schedule: x, template: {what: {ever: 1}}}');
      expect(await suite.kubectl.ok(['apply', '-f', '-'], { stdin: any })).toContain('created');
    });

    test('lists resources until the definition is deleted', async () => {
      expect(await suite.kubectl.ok(['api-resources', '--api-group=stable.example.com'])).toMatch(
        /crontabs +ct +stable.example.com\/v1 +true +CronTab/,
      );
      await suite.kubectl.ok(['apply', '-f', '-'], { stdin: crontab('last') });
      await suite.kubectl.ok(['delete', 'crd', 'crontabs.stable.example.com', '--timeout=120s']);
      const gone = await suite.kubectl.run(['get', 'crontabs.stable.example.com']);
      expect(gone.stderr).toContain("the server doesn't have a resource type");
    });
  });
}

describeKubectl('kubectl 1.35 and definitions of real projects', () => {
  testShared(
    'explains each of them',
    async (shared) => {
      const folder = join(shared, 'corpus', 'crds');
      const server = await startServer();
      const kubectl = await Kubectl.for(server.kubeconfig);
      try {
        await kubectl.ok(['create', '-R', '-f', folder]);
        const columns = '{.spec.names.plural} {.spec.group} {.spec.versions[?(@.served==true)].name}{"\\n"}';
        const text = await kubectl.ok(['get', 'crd', '-o', `jsonpath={range .items[*]}${columns}{end}`]);
        const named = text.trim().split('\n');
        expect(named).toHaveLength(readdirSync(folder, { recursive: true }).filter((file) => /\.ya?ml$/.test(String(file))).length);
        for (const line of named) {
          const [plural, group, version] = line.split(' ');
          const explained = await kubectl.ok(['explain', plural, `--api-version=${group}/${version}`]);
          expect(explained).toContain(`GROUP:      ${group}\n`);
        }
      } finally {
        await kubectl.close();
        await server.close();
      }
    },
    600_000,
  );
});
