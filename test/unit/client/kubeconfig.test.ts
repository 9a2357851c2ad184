import { describe, expect, test } from '@jest/globals';
import { parseKubeconfig } from '../../../runtime/client/kubeconfig.ts';

const text = `
apiVersion: v1
kind: Config
current-context: one
clusters:
- name: c
  cluster: { server: "https://127.0.0.1:6443", certificate-authority-data: Y2E= }
users:
- name: admin
  user: { client-certificate-data: Y2VydA==, client-key-data: a2V5 }
- name: robot
  user: { token: secret }
contexts:
- name: one
  context: { cluster: c, user: admin }
- name: two
  context: { cluster: c, user: robot }
- name: three
  context: { cluster: missing, user: robot }
`;

describe('client options of a kubeconfig', () => {
  test('of the current context', () => {
    const { server, ca, cert, key, token } = parseKubeconfig(text);
    expect(server).toBe('https://127.0.0.1:6443');
    expect([ca, cert, key].map(String)).toEqual(['ca', 'cert', 'key']);
    expect(token).toBeUndefined();
  });

  test('of a named context', () => {
    expect(parseKubeconfig(text, 'two').token).toBe('secret');
  });

  test.each([
    ['four', 'no context "four"'],
    ['three', 'no cluster "missing"'],
  ])('context %s is rejected: %s', (context, why) => {
    expect(() => parseKubeconfig(text, context)).toThrow(why);
  });

  test.each([
    ['ftp://x', 'invalid \'proxy-url\' "ftp://x" for cluster "c": unsupported scheme "ftp", must be http, https, or socks5'],
    ['http://[::1', 'invalid \'proxy-url\' "http://[::1" for cluster "c": could not parse: http://[::1'],
  ])('the proxy %s is refused', (proxy, why) => {
    const config = {
      'current-context': 'x',
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
      clusters: [{ name: 'c', cluster: { server: 'https://a', 'proxy-url': proxy } }],
    };
    expect(() => parseKubeconfig(JSON.stringify(config))).toThrow(`invalid configuration: ${why}`);
  });

  test('an empty file is rejected', () => {
    expect(() => parseKubeconfig('')).toThrow('no context ""');
  });
});
