import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { RunningServer } from '../../runtime/index.ts';
import { describeUnless } from '../support/skipping.ts';
import { startTestServer } from '../support/test-server.ts';
import { WatchStream } from '../support/watch-stream.ts';
import { missingReference, Reference } from './reference.ts';
import { freePort } from './servers.ts';
import { Side, type SideResponse } from './side.ts';

const json = { contentType: 'application/json' };
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** Returns a definition whose two versions have different columns, but one schema. */
const definition = (group: string): object => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `robots.${group}`, labels: { of: 'test' } },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural: 'robots', singular: 'robot', kind: 'Robot', listKind: 'RobotList' },
    versions: ['v1', 'v2'].map((name) => ({
      name,
      served: true,
      storage: name === 'v1',
      subresources: { status: {} },
      schema: {
        openAPIV3Schema: {
          type: 'object',
          properties: {
            spec: {
              type: 'object',
              properties: {
                arms: { type: 'integer', format: 'int64', default: 2 },
                weight: { type: 'number' },
                free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
              },
            },
          },
        },
      },
      additionalPrinterColumns: name === 'v1' ? [] : [{ name: 'Arms', type: 'integer', jsonPath: '.spec.arms' }],
    })),
  },
});

const robot = (group: string, name: string): object => ({
  apiVersion: `${group}/v1`,
  kind: 'Robot',
  metadata: { name, labels: { of: 'test' } },
  spec: { weight: 1.5, free: { 'ü "': [1, null, true, 'x'], big: 2 ** 52 } },
});

/** Kubernetes' own server and this one side by side on one etcd. */
describeUnless(missingReference)('on one etcd', () => {
  describe.each([
    ['JSON', false],
    ['CBOR', true],
  ])('with custom resources as %s', (_, isCbor) => {
    const featureGates = [`CBORServingAndStorage=${isCbor}`];
    let reference: Reference;
    let server: RunningServer;
    let sides: { readonly kubernetes: Side; readonly kubeloom: Side };

    beforeAll(async () => {
      const flags = ['--etcd-prefix=/registry', `--feature-gates=${featureGates.join()}`];
      reference = await Reference.start(await freePort(), flags);
      server = await startTestServer({ etcdServers: [reference.etcdUrl], featureGates });
      const { caCertificate: ca, clientCertificate: cert, clientKey: key } = server;
      sides = {
        kubernetes: new Side(reference.url, { rejectUnauthorized: false }, reference.token),
        kubeloom: new Side(server.url, { ca, cert, key }),
      };
    }, 90_000);

    afterAll(async () => {
      for (const side of Object.values(sides ?? {})) side.close();
      await server?.close();
      await reference?.stop();
    }, 30_000);

    test.each([
      ['kubeloom', 'kubernetes'],
      ['kubernetes', 'kubeloom'],
    ] as const)(
      'what %s writes is read by %s, watched, and protected from older writes',
      async (writer, reader) => {
        const group = `${writer}.example.com`;
        const objects = `/apis/${group}/v1/namespaces/default/robots`;
        const [write, read] = [sides[writer], sides[reader]];
        const created = await write.send('POST', definitions, JSON.stringify(definition(group)), json);
        expect(created.status).toBe(201);
        for (const side of [write, read]) await untilServed(side, objects);
        const crd = `${definitions}/robots.${group}`;
        expect((await read.send('GET', crd)).json).toEqual((await write.send('GET', crd)).json);

        const watch = await WatchStream.open(server, `${objects}?watch=1`);
        const { status, json: object } = await write.send('POST', objects, JSON.stringify(robot(group, 'a')), json);
        expect({ status, arms: object.spec?.arms }).toEqual({ status: 201, arms: 2 });
        expect(await watch.take(1)).toEqual([{ type: 'ADDED', object }]);
        expect((await read.send('GET', `${objects}/a`)).json).toEqual(object);

        const put = (side: Side): Promise<SideResponse> =>
          side.send('PUT', `${objects}/a`, JSON.stringify({ ...object, spec: { arms: 3 } }), json);
        const replaced = await put(read);
        expect({ status: replaced.status, spec: replaced.json.spec }).toEqual({ status: 200, spec: { arms: 3 } });
        expect((await put(write)).status).toBe(409);
        expect(await watch.take(1)).toEqual([{ type: 'MODIFIED', object: replaced.json }]);
        watch.close();
        expect((await write.send('GET', `${objects}/a`)).json).toEqual(replaced.json);

        expect((await read.send('DELETE', crd)).status).toBe(200);
        for (const side of [write, read]) await untilStatus(side, crd, 404);
      },
      60_000,
    );
  });
});

const untilServed = (side: Side, path: string): Promise<void> => untilStatus(side, path, 200);

async function untilStatus(side: Side, path: string, status: number): Promise<void> {
  while ((await side.send('GET', path)).status !== status) await setTimeout(50);
}
