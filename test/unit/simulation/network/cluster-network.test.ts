import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import type { Pod } from '../../../../generated/v1.35/core/v1/types.ts';
import { ClusterNetwork, type ListeningPlace } from '../../../../runtime/simulation/network/cluster-network.ts';
import { DialFault } from '../../../../runtime/simulation/network/dial-fault.ts';
import type { Endpoint } from '../../../../runtime/simulation/network/endpoint.ts';
import { serving } from '../../../../runtime/simulation/network/listener.ts';
import { podListener } from '../../../../runtime/simulation/network/pod-listeners.ts';

const pods: readonly Pod[] = [
  {
    metadata: { name: 'web', namespace: 'default', annotations: { 'simulation.kubeloom.dev/port.80': 'echo' } },
    status: { podIP: '10.128.0.2' },
  },
];

const newNetwork = () =>
  new ClusterNetwork({
    podsAt: async (address) => pods.filter(({ status }) => status?.podIP === address),
    listenerOf: async (pod, at) => podListener(pod, at, false),
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
