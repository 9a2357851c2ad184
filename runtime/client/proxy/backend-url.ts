import { joinHostPort } from '../../machinery/go/join-host-port.ts';
import { quote } from '../../machinery/go/quote.ts';
import { escapeHost, hostProblem } from '../../machinery/go/url-host.ts';
import { escapePath } from './location.ts';

/** What a request goes to. Hosts and ports come from objects, and may be anything. */
export interface BackendPlace {
  readonly host: string;
  readonly port: number;
  /** Not escaped. */
  readonly path: string;
  /** With its `?`. Default: none. */
  readonly query?: string | undefined;
}

/** The URL of a request over TLS, as Go writes it. */
export const backendUrl = ({ host, port, path, query = '' }: BackendPlace): string =>
  `https://${escapeHost(joinHostPort(host, port))}${escapePath(path)}${query}`;

/** Why Go would not make a request of this URL: `parse "https://a%2Fb:1/": invalid URL escape "%2F"`. Undefined if it would. */
export function backendUrlProblem(place: BackendPlace): string | undefined {
  const problem = hostProblem(escapeHost(joinHostPort(place.host, place.port)));
  return problem === undefined ? undefined : `parse ${quote(backendUrl(place))}: ${problem}`;
}
