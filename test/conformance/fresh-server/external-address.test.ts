import { describe, expect, test } from '@jest/globals';
import { TestServer } from '../../support/test-server.ts';

describe.each([
  ['--external-hostname', { externalHostname: 'api.example.com', advertiseAddress: '192.0.2.1' }, 'api.example.com'],
  ['--advertise-address alone', { advertiseAddress: '2001:db8::1', serviceClusterIpRange: 'fd00::/112' }, '[2001:db8::1]'],
])('with %s', (_, options, host) => {
  const suite = TestServer.forSuite(options);

  test('discovery and OpenID Connect name that host', async () => {
    const { port } = new URL(suite.server.url);
    const { json } = await suite.http.get('/api');
    expect(json.serverAddressByClientCIDRs).toEqual([{ clientCIDR: '0.0.0.0/0', serverAddress: `${host}:${port}` }]);
    const openId = await suite.http.get('/.well-known/openid-configuration');
    expect(openId.json.jwks_uri).toBe(`https://${host}:${port}/openid/v1/jwks`);
  });
});
