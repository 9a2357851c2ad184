import { locationProblem, redirects, schemeMismatch } from '../../../client/transport/http-client.ts';
import { roundTripError } from '../../../client/transport/network-error.ts';
import { proxyFromEnvironment } from '../../../client/transport/proxy-environment.ts';
import { Transport } from '../../../client/transport/transport.ts';
import type { Clock } from '../../../machinery/clock.ts';
import { joinHostPort } from '../../../machinery/go/join-host-port.ts';
import type { ServiceAddress } from '../../../resources/service-resolver.ts';
import type { ProxyCertificate } from '../proxy/transport.ts';

/** Milliseconds until the status line must have arrived. */
const timeout = 5000;
/** The number of concurrent requests, one of which must succeed. */
const attempts = 5;

export interface DiscoveryCheckOptions {
  /** Returns the current address of the server. @throws Error */
  readonly resolve: () => ServiceAddress;
  readonly path: string;
  readonly certificate: ProxyCertificate | undefined;
  readonly clock: Clock;
  /** Ends the check. */
  readonly signal: AbortSignal;
}

/**
 * Requests the discovery of a server as a member of system:masters, without verifying its certificate: only a response
 * matters. Resolves with the problem in kube-aggregator's words; with undefined for a good response.
 */
export async function checkDiscovery(options: DiscoveryCheckOptions): Promise<string | undefined> {
  const { certificate, clock } = options;
  const transport = new Transport({
    proxy: proxyFromEnvironment(),
    tls: { insecure: true, ...(certificate && { cert: certificate.certificate, key: certificate.key }) },
  });
  const finished = new AbortController();
  const abort = (): void => finished.abort(options.signal.reason);
  options.signal.addEventListener('abort', abort);
  const stopTimer = clock.after(timeout, () => finished.abort(new DOMException('', 'TimeoutError')));
  try {
    const all = Array.from({ length: attempts }, () => attempt(options, transport, finished.signal));
    return await Promise.any(all);
  } catch (error) {
    return ((error as AggregateError).errors[0] as Error).message;
  } finally {
    stopTimer();
    options.signal.removeEventListener('abort', abort);
    finished.abort();
    transport.close();
  }
}

/** The relevant members of a response. */
interface Answer {
  readonly status: number;
  /** "" for none. */
  readonly location: string;
}

const lateSuffix = ' (Client.Timeout exceeded while awaiting headers)';

/** @throws Error */
async function attempt({ resolve, path }: DiscoveryCheckOptions, transport: Transport, signal: AbortSignal): Promise<undefined> {
  const address = resolve();
  const { host, port } = address;
  const url = `https://${joinHostPort(host, port)}${path}`;
  const headers = new Map([
    ['host', [joinHostPort(host, port)]],
    ['accept-encoding', ['gzip']],
    ['x-remote-user', ['system:kube-aggregator']],
    ['x-remote-group', ['system:masters']],
  ]);
  const failure = (why: string): Error => new Error(`failing or missing response from ${url}: Get "${url}": ${why}`);
  const { status, location } = await new Promise<Answer>((settle, reject) => {
    const outgoing = transport.request(address, { method: 'GET', path, headers });
    const abort = (): void => void outgoing.destroy(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    outgoing.on('error', (error) => {
      const suffix = signal.reason?.name === 'TimeoutError' ? lateSuffix : '';
      reject(failure(schemeMismatch(roundTripError(signal.reason ?? error, outgoing.socket)).message + suffix));
    });
    outgoing.on('response', (incoming) => {
      incoming.on('error', () => undefined).destroy();
      settle({ status: incoming.statusCode ?? 0, location: incoming.headers.location ?? '' });
    });
    outgoing.end();
  });
  if (status >= 200 && status < 300) return undefined;
  const problem = redirects.has(status) && location !== '' ? locationProblem(location) : undefined;
  if (problem !== undefined) throw failure(problem);
  throw new Error(`failing or missing response from ${url}: bad status from ${url}: ${status}`);
}
