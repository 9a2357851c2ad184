import { expect, test } from '@jest/globals';
import { ClusterDNS } from '../../../../runtime/simulation/network/dns/cluster-dns.ts';
import { askFor } from '../../../../runtime/simulation/network/dns/look-up.ts';
import type { RecordType } from '../../../../runtime/simulation/network/dns/record.ts';
import { candidates, hostAddresses, resolverSettings } from '../../../../runtime/simulation/network/dns/resolver.ts';
import { networkObjects, serviceObject, sliceObject } from '../../../support/network-objects.ts';

const dns = new ClusterDNS(
  networkObjects(
    serviceObject('web', {
      clusterIP: '10.0.0.5',
      ports: [
        { name: 'http', port: 80 },
        { name: 'dns', port: 53, protocol: 'UDP' },
      ],
    }),
    serviceObject('db', { clusterIP: 'None', ports: [{ name: 'sql', port: 5432 }] }),
    sliceObject(
      'db',
      [
        { addresses: ['10.128.0.2'], hostname: 'db-0' },
        { addresses: ['10.128.0.3'] },
        { addresses: ['10.128.0.4'], hostname: 'db-2', conditions: { ready: false } },
      ],
      [{ name: 'sql', port: 5432 }],
    ),
    serviceObject('nobody', { clusterIP: 'None' }),
    serviceObject('out', { type: 'ExternalName', externalName: 'example.com', ports: undefined }),
    serviceObject('alias', { type: 'ExternalName', externalName: 'web.default.svc.cluster.local', ports: undefined }),
  ),
);

const domain = 'default.svc.cluster.local';

test.each<[string, RecordType, string]>([
  [`web.${domain}`, 'A', '10.0.0.5'],
  [`WEB.${domain}.`, 'A', '10.0.0.5'],
  [`web.${domain}`, 'AAAA', ''],
  [`_http._tcp.web.${domain}`, 'SRV', `0 100 80 web.${domain}.`],
  [`_dns._udp.web.${domain}`, 'SRV', `0 100 53 web.${domain}.`],
  [`_http._udp.web.${domain}`, 'SRV', 'NXDOMAIN'],
  [`x.web.${domain}`, 'A', 'NXDOMAIN'],
  [`db.${domain}`, 'A', '10.128.0.2 10.128.0.3'],
  [`db-0.db.${domain}`, 'A', '10.128.0.2'],
  [`10-128-0-3.db.${domain}`, 'A', '10.128.0.3'],
  [`db-2.db.${domain}`, 'A', 'NXDOMAIN'],
  [`_sql._tcp.db.${domain}`, 'SRV', `0 100 5432 db-0.db.${domain}. 0 100 5432 10-128-0-3.db.${domain}.`],
  [`nobody.${domain}`, 'A', 'NXDOMAIN'],
  [`out.${domain}`, 'CNAME', 'example.com.'],
  [`out.${domain}`, 'A', 'example.com.'],
  [`alias.${domain}`, 'A', 'web.default.svc.cluster.local. 10.0.0.5'],
  [`none.${domain}`, 'A', 'NXDOMAIN'],
  ['web.other.svc.cluster.local', 'A', 'NXDOMAIN'],
  ['web.missing.svc.cluster.local', 'A', 'NXDOMAIN'],
  [domain, 'A', ''],
  ['svc.cluster.local', 'A', ''],
  ['10-1-2-3.default.pod.cluster.local', 'A', '10.1.2.3'],
  ['web.default.pod.cluster.local', 'A', 'NXDOMAIN'],
  ['10-1-2-3.missing.pod.cluster.local', 'A', 'NXDOMAIN'],
  ['5.0.0.10.in-addr.arpa', 'PTR', `web.${domain}.`],
  ['2.0.128.10.in-addr.arpa.', 'PTR', `db-0.db.${domain}.`],
  ['9.9.9.9.in-addr.arpa', 'PTR', 'NXDOMAIN'],
  ['example.com', 'A', 'NXDOMAIN'],
])('%s %s: %s', (name, type, want) => {
  const { code, records } = dns.query(name, type);
  expect(code === 'NOERROR' ? records.map(({ data }) => data).join(' ') : code).toBe(want);
});

const settings = resolverSettings(`search ${domain} svc.cluster.local\nnameserver 10.0.0.10\noptions ndots:5 edns0\n`);

test.each([
  ['web', [`web.${domain}.`, 'web.svc.cluster.local.', 'web.']],
  ['web.default', [`web.default.${domain}.`, 'web.default.svc.cluster.local.', 'web.default.']],
  ['a.b.c.d.e.f', ['a.b.c.d.e.f.', `a.b.c.d.e.f.${domain}.`, 'a.b.c.d.e.f.svc.cluster.local.']],
  ['web.', ['web.']],
])('a resolver looks %s up as %j', (name, want) => {
  expect(candidates(name, settings)).toEqual(want);
});

test('the first name with records is the answer', async () => {
  const asked: string[] = [];
  const network = {
    ask: async (_: string, name: string, type: RecordType) => {
      asked.push(name);
      return dns.query(name, type);
    },
  };
  const answer = await askFor(candidates('web.default', settings), 'A', network, settings.servers);
  expect([answer?.name, answer?.records.length, asked.length]).toEqual(['web.default.svc.cluster.local.', 1, 2]);
});

test('names in /etc/hosts have addresses', () => {
  const hosts = '# Kubernetes\n127.0.0.1\tlocalhost\n10.1.2.3\tfoo.local  foo # bar\n';
  expect(['foo', 'FOO.local', 'localhost', 'bar'].map((name) => hostAddresses(hosts, name))).toEqual([
    ['10.1.2.3'],
    ['10.1.2.3'],
    ['127.0.0.1'],
    [],
  ]);
});
