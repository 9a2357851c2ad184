import { expect, test } from '@jest/globals';
import { DialFault } from '../../../../runtime/simulation/network/dial-fault.ts';
import { ServiceProxy } from '../../../../runtime/simulation/network/service-proxy.ts';
import { networkObjects, nodeObject, serviceObject, sliceObject } from '../../../support/network-objects.ts';
import type { TestObject } from '../../../support/test-object.ts';

const pod = { address: '10.128.0.9', node: 'n1', isOnNode: false };
const node2 = { address: '172.16.0.2', node: 'n2', isOnNode: true };
const outside = { address: '192.0.2.1', node: '', isOnNode: true };
const nodes = [nodeObject('n1', '172.16.0.1'), nodeObject('n2', '172.16.0.2')];
const clusterIP = '10.0.0.5';
const at = (address: string, nodeName: string, conditions = {}) => ({ addresses: [address], nodeName, conditions });
const both = sliceObject('web', [at('10.128.0.2', 'n1'), at('10.128.1.2', 'n2')]);
const nodePort = { clusterIP, ports: [{ port: 80, nodePort: 30_080 }] };

/** Returns where three connections lead to. */
function targets(
  objects: readonly TestObject[],
  [address = '', port = '80']: readonly string[],
  client = pod,
  protocol: 'TCP' | 'UDP' = 'TCP',
): string {
  const proxy = new ServiceProxy(networkObjects(...nodes, ...objects), () => 0);
  try {
    return [1, 2, 3]
      .map(() => {
        const target = proxy.target({ address, port: Number(port), protocol }, client);
        return target === undefined
          ? 'none'
          : `${target.to.address}:${target.to.port}${target.from === client.address ? '' : ` from ${target.from}`}`;
      })
      .join(', ');
  } catch (error) {
    if (error instanceof DialFault) return error.code;
    throw error;
  }
}

const alternating = '10.128.0.2:8080, 10.128.1.2:8080, 10.128.0.2:8080';
const third = (text: string): string => `${text}, ${text}, ${text}`;

test.each<[string, TestObject[], string[], typeof pod, string]>([
  ['the address of the cluster', [serviceObject('web', { clusterIP }), both], [clusterIP], pod, alternating],
  ['another port', [serviceObject('web', { clusterIP }), both], [clusterIP, '81'], pod, 'ECONNREFUSED'],
  ['a service without endpoints', [serviceObject('web', { clusterIP })], [clusterIP], pod, 'ECONNREFUSED'],
  ['an address that is not of a service', [serviceObject('web', { clusterIP })], ['10.0.0.6'], pod, third('none')],
  ['an external address', [serviceObject('web', { clusterIP, externalIPs: ['203.0.113.7'] }), both], ['203.0.113.7'], pod, alternating],
  [
    'the address of a load balancer',
    [serviceObject('web', { clusterIP }, { loadBalancer: { ingress: [{ ip: '203.0.113.8' }] } }), both],
    ['203.0.113.8'],
    pod,
    alternating,
  ],
  [
    'a load balancer that is a proxy',
    [serviceObject('web', { clusterIP }, { loadBalancer: { ingress: [{ ip: '203.0.113.8', ipMode: 'Proxy' }] } }), both],
    ['203.0.113.8'],
    pod,
    third('none'),
  ],
  [
    'an endpoint that is not ready',
    [serviceObject('web', { clusterIP }), sliceObject('web', [at('10.128.0.2', 'n1', { ready: false }), at('10.128.1.2', 'n2')])],
    [clusterIP],
    pod,
    third('10.128.1.2:8080'),
  ],
  [
    'endpoints that all terminate',
    [
      serviceObject('web', { clusterIP }),
      sliceObject('web', [
        at('10.128.0.2', 'n1', { ready: false, serving: true, terminating: true }),
        at('10.128.1.2', 'n2', { ready: false, serving: false, terminating: true }),
      ]),
    ],
    [clusterIP],
    pod,
    third('10.128.0.2:8080'),
  ],
  [
    'a port by its name',
    [
      serviceObject('web', { clusterIP, ports: [{ name: 'a', port: 80 }] }),
      sliceObject(
        'web',
        ['10.128.0.2'],
        [
          { name: 'b', port: 1 },
          { name: 'a', port: 2 },
        ],
      ),
    ],
    [clusterIP],
    pod,
    third('10.128.0.2:2'),
  ],
  [
    'internalTrafficPolicy Local',
    [serviceObject('web', { clusterIP, internalTrafficPolicy: 'Local' }), both],
    [clusterIP],
    pod,
    third('10.128.0.2:8080'),
  ],
  [
    'internalTrafficPolicy Local without an endpoint on the node',
    [serviceObject('web', { clusterIP, internalTrafficPolicy: 'Local' }), sliceObject('web', [at('10.128.1.2', 'n2')])],
    [clusterIP],
    pod,
    'ETIMEDOUT',
  ],
  [
    'a node port',
    [serviceObject('web', nodePort), sliceObject('web', ['10.128.0.2'])],
    ['172.16.0.2', '30080'],
    pod,
    third('10.128.0.2:8080 from 172.16.0.2'),
  ],
  ['a node port at an address of no node', [serviceObject('web', nodePort), both], ['10.128.0.2', '30080'], pod, third('none')],
  [
    'externalTrafficPolicy Local from outside',
    [serviceObject('web', { ...nodePort, externalTrafficPolicy: 'Local' }), both],
    ['172.16.0.2', '30080'],
    outside,
    third('10.128.1.2:8080'),
  ],
  [
    'externalTrafficPolicy Local from a pod',
    [serviceObject('web', { ...nodePort, externalTrafficPolicy: 'Local' }), both],
    ['172.16.0.2', '30080'],
    pod,
    alternating,
  ],
  [
    'externalTrafficPolicy Local from the node of another endpoint',
    [serviceObject('web', { ...nodePort, externalTrafficPolicy: 'Local' }), both],
    ['172.16.0.1', '30080'],
    node2,
    third('10.128.0.2:8080'),
  ],
  [
    'session affinity',
    [serviceObject('web', { clusterIP, sessionAffinity: 'ClientIP' }), both],
    [clusterIP],
    pod,
    third('10.128.0.2:8080'),
  ],
])('%s', (_, objects, to, client, want) => {
  expect(targets(objects, to, client)).toBe(want);
});

test('UDP and TCP ports differ', () => {
  const objects = [
    serviceObject('web', { clusterIP, ports: [{ port: 80, protocol: 'UDP' }] }),
    sliceObject('web', ['10.128.0.2'], [{ port: 1, protocol: 'UDP' }]),
  ];
  expect([targets(objects, [clusterIP]), targets(objects, [clusterIP], pod, 'UDP')]).toEqual(['ECONNREFUSED', third('10.128.0.2:1')]);
});

test('session affinity ends after its timeout, and when its endpoint goes', () => {
  let now = 0;
  const slice = sliceObject('web', ['10.128.0.2', '10.128.1.2']);
  const affinity = { sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 10 } } };
  const proxy = new ServiceProxy(networkObjects(serviceObject('web', { clusterIP, ...affinity }), slice), () => now);
  const next = () => proxy.target({ address: clusterIP, port: 80, protocol: 'TCP' }, pod)?.to.address;
  const seen = [next(), next()];
  now = 9000;
  seen.push(next());
  now = 18_000;
  seen.push(next());
  now = 28_000;
  seen.push(next());
  slice.endpoints.pop();
  seen.push(next());
  expect(seen).toEqual(['10.128.0.2', '10.128.0.2', '10.128.0.2', '10.128.0.2', '10.128.1.2', '10.128.0.2']);
});
