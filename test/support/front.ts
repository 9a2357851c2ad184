import { type ClientHttp2Session, connect } from 'node:http2';
import { readTokenFile } from '../../runtime/auth/token-file.ts';
import { ActiveRequests } from '../../runtime/http/active-requests.ts';
import type { ApiMiddleware } from '../../runtime/http/context.ts';
import { systemClock } from '../../runtime/machinery/clock.ts';
import { silentLogger } from '../../runtime/observe/logger.ts';
import { RequestMetrics } from '../../runtime/observe/request-metrics.ts';
import { parseFeatureGates } from '../../runtime/server/feature-gates.ts';
import { type Front, openFront } from '../../runtime/server/front.ts';
import { Lifecycle } from '../../runtime/server/lifecycle.ts';
import type { ListenLimits } from '../../runtime/server/listen.ts';
import type { ServerOptions } from '../../runtime/server/options.ts';
import type { KeyPair } from '../../runtime/server/x509-certificate.ts';

export interface TestFront extends Front {
  readonly metrics: RequestMetrics;
  readonly active: ActiveRequests;
  readonly lifecycle: Lifecycle;
}

/** The network side of a server, with `endpoints` in place of the API behind it; no limits unless they are given. */
export async function openTestFront(
  endpoints: ApiMiddleware,
  options: ServerOptions = {},
  limits?: ApiMiddleware,
  listenLimits?: Partial<ListenLimits>,
): Promise<TestFront> {
  const active = new ActiveRequests();
  const metrics = new RequestMetrics();
  const common = { clock: options.clock ?? systemClock, logger: silentLogger, active };
  const front = await openFront({
    ...common,
    options,
    tokens: options.tokenAuthFile === undefined ? [] : [await readTokenFile(options.tokenAuthFile)],
    features: parseFeatureGates(options.featureGates ?? []),
    metrics,
    serves: () => true,
    limits,
    listenLimits,
    endpoints,
  });
  const lifecycle = new Lifecycle({ ...common, shutdownDelay: 0, drainTimeout: options.drainTimeout ?? 20_000 });
  lifecycle.serve(front.listener);
  return { ...front, metrics, active, lifecycle };
}

type Place = Pick<Front, 'url' | 'caCertificate' | 'admin'>;

/** A request over HTTP/2 on a session of its own. */
export async function http2Get(
  front: Place,
  path: string,
  options: { pair?: KeyPair; headers?: Record<string, string> } = {},
): Promise<{ status: number; headers: Record<string, unknown>; body: string }> {
  const session = openSession(front, options.pair);
  try {
    const stream = session.request({ ':path': path, ...options.headers });
    const headers = await new Promise<Record<string, unknown>>((resolve, reject) => {
      stream.on('response', (got) => resolve(got as Record<string, unknown>));
      stream.on('error', reject);
      session.on('error', reject);
    });
    let body = '';
    for await (const part of stream.setEncoding('utf8')) body += part;
    return { status: headers[':status'] as number, headers, body };
  } finally {
    session.close();
  }
}

/** As the administrator, or whoever the pair is of. */
export function openSession(front: Place, { certificate: cert, key }: KeyPair = front.admin): ClientHttp2Session {
  return connect(front.url, { ca: front.caCertificate, cert, key });
}
