import { joinHostPort } from '../../../machinery/go/join-host-port.ts';
import { quote } from '../../../machinery/go/quote.ts';
import { dialProblem } from '../../network/dial-fault.ts';
import { exchange } from '../../network/http-exchange.ts';
import type { ServerHost } from './server.ts';

/** Milliseconds that a client waits for a response. */
const responseTimeout = 5000;
const maxResponse = 4 * 1024 * 1024;

/**
 * Returns the body of a response, as Go's http.Client reads it.
 *
 * @throws Error in Go's words
 */
export async function getText(
  { network, clock }: Pick<ServerHost, 'network' | 'clock'>,
  address: string,
  port: number,
  path: string,
): Promise<string> {
  const place = joinHostPort(address, port);
  const url = `http://${place}${path}`;
  const failed = (why: string): Error => new Error(`Get ${quote(url)}: ${why}`);
  const connection = await network.dial(address, port).catch((error: unknown) => {
    throw failed(dialProblem(place, error));
  });
  let isLate = false;
  const cancel = clock.after(responseTimeout, () => {
    isLate = true;
    connection.destroy();
  });
  try {
    const headers = { Host: place, 'User-Agent': 'Go-http-client/1.1', 'Accept-Encoding': 'gzip' };
    return (await exchange(connection, { path, headers, limit: maxResponse })).body.toString();
  } catch {
    throw failed(isLate ? 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)' : 'EOF');
  } finally {
    cancel();
  }
}
