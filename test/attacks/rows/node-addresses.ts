import type { Attack, Attacks, Request } from '../harness/attack.ts';

const pods = '/api/v1/namespaces/default/pods';
const headers = { 'content-type': 'application/json' };

const addresses: readonly (readonly [about: string, address: string, message: string])[] = [
  ['a port, a path and a query', '127.0.0.1:30400/x?', 'invalid URL escape "%2F"'],
  ['a user', 'user@127.0.0.1', 'invalid URL escape "%40"'],
  ['brackets', '[::1]', 'invalid IP-literal'],
  ['no IP address', '256.1.1.1', 'no such host'],
  ['an IP address for C only', '0x7f.1', 'no such host'],
  ['headers', 'x\r\nhost: y', 'invalid URL escape "%0D"'],
  ['NUL', 'a\0b', 'invalid URL escape "%00"'],
];

const create = (path: string, object: object): Request => ({
  method: 'POST',
  path,
  headers,
  body: JSON.stringify(object),
});

const nodes = addresses.flatMap(([, address], at): Request[] => [
  create('/api/v1/nodes', { metadata: { name: `n${at}` }, status: { addresses: [{ type: 'InternalIP', address }] } }),
  create(pods, { metadata: { name: `n${at}` }, spec: { nodeName: `n${at}`, containers: [{ name: 'c', image: 'i' }] } }),
]);

export const nodeAddresses: Attacks = {
  title: 'addresses of nodes',
  flags: ['--kubelet-port=10250'],
  setup: nodes,
  rows: addresses.flatMap(([about, , message], at): Attack[] => [
    { name: `log: ${about}`, send: () => ({ method: 'GET', path: `${pods}/n${at}/log` }), codes: [500], message },
    {
      name: `exec: ${about}`,
      send: () => ({
        method: 'GET',
        path: `${pods}/n${at}/exec?command=x&stdout=1`,
        headers: { connection: 'Upgrade', upgrade: 'SPDY/3.1', 'x-stream-protocol-version': 'v4.channel.k8s.io' },
      }),
      codes: [500],
      message,
    },
    {
      name: `proxy: ${about}`,
      send: () => ({ method: 'GET', path: `/api/v1/nodes/n${at}/proxy/x` }),
      codes: [400],
    },
  ]),
};
