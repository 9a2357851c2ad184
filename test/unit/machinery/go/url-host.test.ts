import { expect, test } from '@jest/globals';
import { joinHostPort } from '../../../../runtime/machinery/go/join-host-port.ts';
import { escapeHost, hostProblem } from '../../../../runtime/machinery/go/url-host.ts';

const escaping = (sequence: string): string => `invalid URL escape "${sequence}"`;

/* kube-apiserver v1.35's results for nodes' addresses. */
test.each<[host: string, written: string, problem: string | undefined]>([
  ['192.0.2.1', '192.0.2.1:1', undefined],
  ['node-1.example', 'node-1.example:1', undefined],
  ['', ':1', undefined],
  ['127.0.0.1:30400/x?', '[127.0.0.1:30400%2Fx%3F]:1', escaping('%2F')],
  ['127.0.0.1/', '127.0.0.1%2F:1', escaping('%2F')],
  [' 127.0.0.1', '%20127.0.0.1:1', escaping('%20')],
  ['a b', 'a%20b:1', escaping('%20')],
  ['a?b', 'a%3Fb:1', escaping('%3F')],
  ['a#b', 'a%23b:1', escaping('%23')],
  ['user@h', 'user%40h:1', escaping('%40')],
  ['a\\b', 'a%5Cb:1', escaping('%5C')],
  ['\x7f', '%7F:1', escaping('%7F')],
  ['a\nb', 'a%0Ab:1', escaping('%0A')],
  ['::1', '[::1]:1', undefined],
  ['::1%eth0', '[::1%25eth0]:1', undefined],
  ['::1%25eth0', '[::1%2525eth0]:1', undefined],
  ['[::1]', '[[::1]]:1', 'invalid IP-literal'],
  ['a:b', '[a:b]:1', 'invalid host: ParseAddr("a:b"): address string too short'],
  ['%41', '%2541:1', undefined],
  ['a%zz', 'a%25zz:1', undefined],
  ['exämple', 'ex%C3%A4mple:1', undefined],
  ['a<b', 'a<b:1', undefined],
  ['a"b', 'a"b:1', undefined],
])('%j is written %j in a URL: %s', (host, written, problem) => {
  const escaped = escapeHost(joinHostPort(host, 1));
  expect([escaped, hostProblem(escaped)]).toEqual([written, problem]);
});
