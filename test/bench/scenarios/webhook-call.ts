import type { IncomingMessage, ServerResponse } from 'node:http';
import { createSecureServer } from 'node:http2';
import { createServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { issueCertificate } from '../../../runtime/serving/x509-certificate.ts';
import { createRate, type Rate } from '../rate.ts';
import { RawConnection } from '../raw-client.ts';
import type { Report } from '../report.ts';
import { startKubeloom, type Target } from '../target.ts';

const flags = ['--storage=memory', '--authorization-mode=AlwaysAllow'];
const json = { 'content-type': 'application/json' };
const body = JSON.stringify({ metadata: { generateName: 'c-' } });
const create = RawConnection.request('POST', '/api/v1/namespaces/default/configmaps', body, json);
const hour = 3600_000;

/** Measures a create with a validating webhook on this machine, against one without. */
export async function webhookCall(report: Report): Promise<void> {
  for (const atOnce of [1, 16]) {
    const without = await withServer((server) => rate(server, atOnce));
    for (const protocol of ['HTTP/1.1', 'HTTP/2'] as const) {
      const webhook = await openWebhook(protocol === 'HTTP/2');
      try {
        const seen = await withServer(async (server) => {
          await configure(server, webhook);
          return rate(server, atOnce);
        });
        const title = `creates of a ConfigMap that a validating webhook sees over ${protocol}, ${atOnce} at once`;
        const half = `p50 ${seen.p50.toFixed(2)} ms, p99 ${seen.p99.toFixed(2)} ms`;
        report.rate(`${title} (${half})`, seen.perSecond, without.perSecond, '/s', '', 'without a webhook');
      } finally {
        webhook.close();
      }
    }
  }
}

async function withServer<T>(measure: (server: Target) => Promise<T>): Promise<T> {
  const server = await startKubeloom(flags);
  try {
    return await measure(server);
  } finally {
    await server.close();
  }
}

async function rate(server: Target, atOnce: number): Promise<Rate> {
  return createRate(await server.open(atOnce), { warmUpMs: 3_000, measuredMs: 5_000, next: () => create });
}

interface Webhook {
  readonly port: number;
  readonly authority: string;
  close(): void;
}

/** Opens a webhook that allows everything. */
async function openWebhook(isHttp2: boolean): Promise<Webhook> {
  const validity = { from: Date.now() - hour, until: Date.now() + hour };
  const authority = issueCertificate({ commonName: 'ca', use: 'ca', ...validity });
  const pair = issueCertificate({ commonName: 'hook', names: ['127.0.0.1'], use: 'server', ...validity }, authority);
  const options = { cert: pair.certificate, key: pair.key };
  const allow = (request: IncomingMessage, response: ServerResponse): void => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { kind, apiVersion, request: review } = JSON.parse(Buffer.concat(chunks).toString());
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ kind, apiVersion, response: { uid: review.uid, allowed: true } }));
    });
  };
  const server: Server = isHttp2 ? createSecureServer({ ...options, allowHTTP1: true }, allow as never) : createServer(options, allow);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    authority: authority.certificate,
    // its connections end with the measured server
    close: () => void server.close(),
  };
}

async function configure(server: Target, { port, authority }: Webhook): Promise<void> {
  const [connection] = await server.open(1);
  const webhook = {
    name: 'hook.example.com',
    clientConfig: { url: `https://127.0.0.1:${port}/`, caBundle: Buffer.from(authority).toString('base64') },
    rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
  };
  const path = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
  const sent = JSON.stringify({ metadata: { name: 'hook' }, webhooks: [webhook] });
  await connection.send(RawConnection.request('POST', path, sent, json), true);
  connection.close();
}
