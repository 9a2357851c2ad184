import { request } from 'node:https';
import { probeAnswers, type Row, rows } from '../conformance/outgoing/rows.ts';
import { ProbeServer } from './probe-server.ts';

/** A server whose requests to webhooks are looked at. */
export interface ProbedServer {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly tls: {
    readonly cert?: string;
    readonly key?: string;
    readonly ca?: string;
    readonly rejectUnauthorized?: boolean;
  };
}

interface Answer {
  readonly code: number;
  readonly message: string;
}

/** Asks a server for a write that each row's webhook must see; returns what it says. */
export async function probe(server: ProbedServer): Promise<Record<string, string>> {
  const servers = await ProbeServer.open(probeAnswers());
  const namespace = `probe-${Date.now().toString(36)}`;
  const send = (method: string, path: string, body?: unknown): Promise<Answer> => exchange(server, method, path, body);
  const configuration = `/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations`;
  try {
    await send('POST', '/api/v1/namespaces', { metadata: { name: namespace } });
    const webhooks = rows.map((row, at) => webhookOf(row, at, servers, namespace));
    await send('POST', configuration, { metadata: { name: namespace }, webhooks });
    const ask = (at: number): Promise<Answer> =>
      send('POST', `/api/v1/namespaces/${namespace}/configmaps?dryRun=All`, {
        metadata: { name: 'probe', labels: { row: String(at) } },
      });
    // until the configuration is in force
    while ((await ask(0)).code === 201);
    const found: Record<string, string> = {};
    for (const [at, { title }] of rows.entries()) {
      const before = servers.requests.length;
      const { code, message } = await ask(at);
      const calls = servers.requests.length - before;
      found[title] = `${code} ${calls} ${normalized(message, namespace)}`;
    }
    return found;
  } finally {
    await send('DELETE', `${configuration}/${namespace}`);
    await send('DELETE', `/api/v1/namespaces/${namespace}`);
    await servers.close();
  }
}

function webhookOf(row: Row, at: number, servers: ProbeServer, namespace: string): unknown {
  const { listener = 'issued', path = '', timeoutSeconds = 5 } = row;
  const { port, bundle } = servers.listeners.get(listener) as { port: number; bundle: string };
  return {
    name: `row-${at}.example.com`,
    clientConfig: {
      url: `https://127.0.0.1:${port}${path}`,
      ...(bundle !== '' && { caBundle: Buffer.from(bundle).toString('base64') }),
    },
    rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
    objectSelector: { matchLabels: { row: String(at) } },
    ...{ sideEffects: 'None', admissionReviewVersions: ['v1'], timeoutSeconds, failurePolicy: 'Fail' },
  };
}

/** Without ports, uids and times. */
const normalized = (message: string, namespace: string): string =>
  message
    .replaceAll(namespace, 'NAMESPACE')
    .replace(/127\.0\.0\.1:(?!1\b)\d+/g, '127.0.0.1:PORT')
    .replace(/\d{4}-\d\d-\d\dT[\d:]+(?:Z|[+-]\d\d:\d\d)/g, 'TIME')
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UID');

function exchange({ url, headers, tls }: ProbedServer, method: string, path: string, body?: unknown): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url + path,
      { method, ...tls, headers: { 'content-type': 'application/json', ...headers } },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () => {
          const { message = '' } = JSON.parse(Buffer.concat(chunks).toString() || '{}');
          resolve({ code: incoming.statusCode ?? 0, message });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
