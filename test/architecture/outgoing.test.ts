import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { root } from '../support/generated-project.ts';

/** Who begins connections by itself, and not with runtime/client/transport, by the reason why. */
const reasons: Readonly<Record<string, readonly string[]>> = {
  'they are the outgoing client': [
    'client/transport/connect-proxy.ts',
    'client/transport/dial.ts',
    'client/transport/http2-connection.ts',
    'client/transport/tls-client.ts',
    'client/transport/transport.ts',
  ],
  'gRPC is its own protocol over HTTP/2': ['storage/etcd/connection.ts', 'storage/value/encrypt/kmsv2/unary-client.ts'],
  'a server asks itself within its process': ['serving/in-process-fetch.ts'],
  'the network of a simulated cluster is in the process': ['simulation/network/http-exchange.ts', 'simulation/pods/probes/run-probe.ts'],
  'a simulated port leads to one of this machine': ['simulation/network/port-answers.ts'],
  'a program that stands in for etcd is a program of its own': ['testkit/envtest/etcd-stand-in.ts'],
};

const modules = /import\s+(?!type\b)(?:[^;'"]*?)from\s+'node:(?:http|https|http2|net|tls)'|import\('node:(?:https?|http2|net|tls)'\)/g;
const beginners = /\b(?:connect|createConnection|get|request|Agent|ClientRequest)\b/;
const fetches = /(?<![.#\w])fetch\(|\bundici\b|\bnew WebSocket\(/;

/** Reports whether a file imports a module that opens connections. `type` imports do not count. */
function begins(text: string): boolean {
  const imports = [...text.matchAll(modules)].map(([one]) => one.replace(/\btype\s+\w+/g, ''));
  return imports.some((one) => beginners.test(one) || /import\s+(?:\*|\w+\s+from)/.test(one)) || fetches.test(text);
}

test('requests to other servers are begun in one place', () => {
  const runtime = join(root, 'runtime');
  const files = readdirSync(runtime, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const code = (file: string): string =>
    readFileSync(join(runtime, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*|^\s*(?:async )?fetch\(.*$/gm, '');
  expect(files.filter((file) => begins(code(file))).sort()).toEqual(Object.values(reasons).flat().sort());
});
