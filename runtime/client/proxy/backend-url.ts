import { joinHostPort } from '../../machinery/go/join-host-port.ts';
import { quote } from '../../machinery/go/quote.ts';
import { escapeHost, hostProblem } from '../../machinery/go/url-host.ts';
import { escapePath } from './location.ts';

/** The destination of a request. Hosts and ports come from objects and are not validated. */
export interface BackendPlace {
  readonly host: string;
  readonly port: number;
  /** Unescaped. */
  readonly path: string;
  /** With its `?`. Default: no query. */
  readonly query?: string | undefined;
}

/** Returns the URL of a request over TLS, as Go writes it. */
export const backendUrl = ({ host, port, path, query = '' }: BackendPlace): string =>
  `https://${escapeHost(joinHostPort(host, port))}${escapePath(path)}${query}`;

/** Returns Go's error for a URL that it would not request: `parse "https://a%2Fb:1/": invalid URL escape "%2F"`. */
export function backendUrlProblem(place: BackendPlace): string | undefined {
  const problem = hostProblem(escapeHost(joinHostPort(place.host, place.port)));
  return problem === undefined ? undefined : `parse ${quote(backendUrl(place))}: ${problem}`;
}
