import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { ClusterNetwork, type ListeningPlace } from '../../../../runtime/simulation/network/cluster-network.ts';
import { DialFault } from '../../../../runtime/simulation/network/dial-fault.ts';
import type { Endpoint } from '../../../../runtime/simulation/network/endpoint.ts';
import { serving } from '../../../../runtime/simulation/network/listener.ts';
import { annotatedListener } from '../../../../runtime/simulation/network/port-answers.ts';
import { networkObjects, nodeObject, podObject, serviceObject, sliceObject } from '../../../support/network-objects.ts';

const newNetwork = () =>
  new ClusterNetwork({
    clock: { now: () => 0 },
    objects: async () =>
      networkObjects(
        nodeObject('n1', '172.16.0.1'),
        podObject('web', '10.128.0.2', {
          annotations: { 'simulation.kubeloom.dev/port.80': 'echo' },
          spec: { containers: [{ name: 'c', ports: [{ containerPort: 80, hostPort: 8000 }] }] },
        }),
        serviceObject('web', { clusterIP: '10.0.0.5' }),
        sliceObject('web', ['10.128.0.2'], [{ port: 90 }]),
      ),
    listenerOf: async (pod, { port }) => annotatedListener(pod, port, false),
    dnsServer: async () => '10.0.0.10',
  });

/** Says who listens, and to whom. */
const named = (name: string) => serving((connection, from, to) => void connection.end(`${name} ${from.address} ${to.address}:${to.port}`));

async function outcome(dialed: Promise<Duplex>): Promise<string> {
  try {
    const connection = await dialed;
    connection.end();
    return await text(connection);
  } catch (error) {
    if (error instanceof DialFault) return error.code;
    throw error;
  }
}

test.each<[string, readonly ListeningPlace[], Endpoint, string]>([
  [
    'a port',
    [{ address: '10.128.0.2', port: 90, protocol: 'TCP' }],
    { address: '10.128.0.2', port: 90, protocol: 'TCP' },
    '0 10.128.0.9 10.128.0.2:90',
  ],
  [
    'another port',
    [{ address: '10.128.0.2', port: 90, protocol: 'TCP' }],
    { address: '10.128.0.2', port: 91, protocol: 'TCP' },
    'ECONNREFUSED',
  ],
  [
    'another protocol',
    [{ address: '10.128.0.2', port: 90, protocol: 'UDP' }],
    { address: '10.128.0.2', port: 90, protocol: 'TCP' },
    'ECONNREFUSED',
  ],
  ['an address that nobody has', [], { address: '10.128.0.3', port: 90, protocol: 'TCP' }, 'EHOSTUNREACH'],
  ['any port', [{ address: '127.7.0.1', protocol: 'TCP' }], { address: '127.7.0.1', port: 5, protocol: 'TCP' }, '0 10.128.0.9 127.7.0.1:5'],
  [
    'a port beside any port',
    [
      { address: '127.7.0.1', protocol: 'TCP' },
      { address: '127.7.0.1', port: 5, protocol: 'TCP' },
    ],
    { address: '127.7.0.1', port: 5, protocol: 'TCP' },
    '1 10.128.0.9 127.7.0.1:5',
  ],
  [
    'localhost',
    [{ address: '10.128.0.9', port: 90, protocol: 'TCP' }],
    { address: '127.0.0.1', port: 90, protocol: 'TCP' },
    '0 10.128.0.9 10.128.0.9:90',
  ],
  [
    'a service',
    [{ address: '10.128.0.2', port: 90, protocol: 'TCP' }],
    { address: '10.0.0.5', port: 80, protocol: 'TCP' },
    '0 10.128.0.9 10.128.0.2:90',
  ],
  ['a service whose pod does not listen', [], { address: '10.0.0.5', port: 80, protocol: 'TCP' }, 'ECONNREFUSED'],
  ['a port of the node', [], { address: '172.16.0.1', port: 8000, protocol: 'TCP' }, ''],
  ['another port of the node', [], { address: '172.16.0.1', port: 8001, protocol: 'TCP' }, 'ECONNREFUSED'],
  ['what a pod answers by itself', [], { address: '10.128.0.2', port: 80, protocol: 'TCP' }, ''],
])('%s is dialed', async (_, places, to, want) => {
  const network = newNetwork();
  for (const [index, place] of places.entries()) network.listen(place, named(String(index)));
  expect(await outcome(network.dial(to, '10.128.0.9'))).toBe(want);
});

test('a place has one listener at a time', () => {
  const network = newNetwork();
  const place = { address: '10.128.0.2', port: 90, protocol: 'TCP' } as const;
  const release = network.listen(place, named('a'));
  expect(() => network.listen(place, named('b'))).toThrow('EADDRINUSE');
  release();
  release();
  network.listen(place, named('b'));
});

test('datagrams stay whole', async () => {
  const network = newNetwork();
  network.listen(
    { address: '10.128.0.2', port: 53, protocol: 'UDP' },
    serving(async (connection) => {
      for await (const datagram of connection) connection.write(`<${datagram}>`);
    }),
  );
  const connection = await network.dial({ address: '10.128.0.2', port: 53, protocol: 'UDP' }, '10.128.0.9');
  connection.write(Buffer.from('a'));
  connection.write(Buffer.from('b'));
  const answers: string[] = [];
  for await (const answer of connection) if (answers.push(String(answer)) === 2) break;
  expect(answers).toEqual(['<a>', '<b>']);
});

test.each([
  ['10.0.0.10', 'NOERROR'],
  ['10.0.0.11', undefined],
])('%s answers questions: %j', async (server, want) => {
  expect((await newNetwork().ask(server, 'web.default.svc.cluster.local', 'A'))?.code).toBe(want);
});
