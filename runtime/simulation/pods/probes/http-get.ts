import type { Duplex } from 'node:stream';
import type { Container, HTTPGetAction, Pod } from '../../../../generated/v1.35/core/v1/types.ts';
import { schemeMismatch } from '../../../client/transport/http-client.ts';
import { TLSClient } from '../../../client/transport/tls-client.ts';
import type { Clock } from '../../../machinery/clock.ts';
import { joinHostPort } from '../../../machinery/go/join-host-port.ts';
import { quote } from '../../../machinery/go/quote.ts';
import type { ClusterNetwork } from '../../network/cluster-network.ts';
import { dialProblem } from '../../network/dial-fault.ts';
import { exchange, type HttpAnswer } from '../../network/http-exchange.ts';
import { portOf } from './container-port.ts';

/** The most bytes of a response's body that a kubelet reads. (maxRespBodyLength) */
const maxBody = 10 * 1024;
const maxRedirects = 10;

export interface HttpGetOf {
  readonly pod: Pod;
  readonly container: Container;
  readonly network: ClusterNetwork;
  readonly clock: Clock;
  /** Of the `User-Agent`: `probe` or `lifecycle`. */
  readonly purpose: string;
  /** Milliseconds. Default: no limit. */
  readonly timeout?: number;
  /** Whether the container may have a server with TLS. No server of the simulation has. */
  readonly mayHaveTLS?: boolean;
}

/** Headers by their names, of which `Host` and an empty `Accept` have meanings of their own. (newProbeRequest) */
function headersOf({ httpHeaders = [] }: HTTPGetAction, host: string, purpose: string): Record<string, string | string[]> {
  const headers: Record<string, string[]> = {};
  for (const { name, value } of httpHeaders) {
    const known = Object.keys(headers).find((one) => one.toLowerCase() === name.toLowerCase()) ?? name;
    headers[known] = [...(headers[known] ?? []), value];
  }
  const find = (name: string): string | undefined => Object.keys(headers).find((one) => one.toLowerCase() === name);
  if (find('user-agent') === undefined) headers['User-Agent'] = [`kube-${purpose}/1.35`];
  const accept = find('accept');
  if (accept !== undefined && headers[accept]?.[0] === '') delete headers[accept];
  const own = find('host');
  const given = own === undefined ? undefined : headers[own]?.[0];
  if (own !== undefined) delete headers[own];
  return {
    Host: given || host,
    ...(accept === undefined && { Accept: ['*/*'] }),
    ...headers,
    'Accept-Encoding': ['gzip'],
    Connection: ['close'],
  };
}

const noTLS = 'http: server gave HTTP response to HTTPS client';

let tls: TLSClient | undefined;

/** Opens a connection with TLS, to any server. (probes verify no certificates) */
async function secured(dial: () => Promise<Duplex>, host: string): Promise<Duplex> {
  tls ??= new TLSClient({ insecure: true });
  return tls.secure(dial, host);
}

/**
 * Sends the request of a probe or a hook, and follows redirects to the same host.
 *
 * @throws Error in Go's words
 */
export async function httpGet(action: HTTPGetAction, given: HttpGetOf): Promise<HttpAnswer> {
  const { pod, container, network, clock, purpose, timeout, mayHaveTLS = false } = given;
  const host = action.host || (pod.status?.podIP ?? '');
  let port = portOf(action.port, container);
  let path = `/${(action.path ?? '/').replace(/^\//, '')}`;
  const scheme = (action.scheme ?? 'HTTP').toLowerCase();
  for (let hop = 0; ; hop++) {
    const place = joinHostPort(host, port);
    const failed = (why: string): Error => new Error(`Get ${quote(`${scheme}://${place}${path}`)}: ${why}`);
    if (scheme === 'https' && !mayHaveTLS) throw failed(noTLS);
    let isLate = false;
    let close = (): void => undefined;
    const cancel =
      timeout === undefined
        ? () => undefined
        : clock.after(timeout, () => {
            isLate = true;
            close();
          });
    const late = 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)';
    let answer: HttpAnswer;
    try {
      const dial = async (): Promise<Duplex> => {
        const connection = await network.dialFromNode(pod, { address: host, port, protocol: 'TCP' }).catch((error: unknown) => {
          throw failed(dialProblem(place, error));
        });
        close = () => void connection.destroy();
        if (isLate) close();
        return connection;
      };
      const connection =
        scheme === 'https'
          ? await secured(dial, host).catch((error: Error) => {
              throw error.message.startsWith('Get ') ? error : failed(isLate ? late : schemeMismatch(error).message);
            })
          : await dial();
      answer = await exchange(connection, { path, headers: headersOf(action, place, purpose), limit: maxBody }).catch(() => {
        throw failed(isLate ? late : 'EOF');
      });
    } finally {
      cancel();
    }
    const { location } = answer.headers;
    if (answer.status < 300 || answer.status >= 400 || location === undefined) return answer;
    const next = new URL(location, `${scheme}://${place}${path}`);
    if (next.hostname !== host.replace(/^\[|\]$/g, '')) return answer;
    if (hop >= maxRedirects) throw failed('stopped after 10 redirects');
    port = Number(next.port || 80);
    path = next.pathname + next.search;
  }
}
