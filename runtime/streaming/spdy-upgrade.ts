import type { ApiContext } from '../http/context.ts';
import { respondPlainError } from '../http/respond.ts';
import { hijack, isUpgradeRequest } from '../http/upgrade.ts';
import { SpdyConnection } from './spdy/connection.ts';
import type { SpdyStream } from './spdy/stream.ts';

const versionHeader = 'X-Stream-Protocol-Version';
const acceptedHeader = 'X-Accepted-Stream-Protocol-Versions';

/** A connection for a client's streams, with the agreed protocol. */
export interface SpdyUpgrade {
  readonly connection: SpdyConnection;
  readonly protocol: string;
}

/**
 * Upgrades the connection of a request to SPDY/3.1. Responds with an error and returns undefined if the client requests
 * another upgrade. (httpstream.Handshake, spdy.responseUpgrader)
 *
 * @param protocols the supported protocols of streams, the most preferred first
 */
export function upgradeToSpdy(
  ctx: ApiContext,
  protocols: readonly string[],
  onStream: (stream: SpdyStream) => void,
): SpdyUpgrade | undefined {
  const refuse = (code: number, message: string): undefined => {
    respondPlainError(ctx, code, `unable to upgrade: ${message}`);
  };
  const { headers, rawHeaders } = ctx.req;
  const value = headers[versionHeader.toLowerCase()];
  if (value === undefined) {
    return refuse(400, `header ${versionHeader} does not exist in request with ${rawHeaders.length / 2} headers`);
  }
  const wanted = String(value)
    .split(',')
    .flatMap((name) => name.trim() || []);
  if (wanted.length === 0) return refuse(400, `header ${versionHeader} contains [${value}], but no valid protocols`);
  const protocol = wanted.find((name) => protocols.includes(name));
  if (protocol === undefined) {
    ctx.res.setHeader(acceptedHeader, protocols);
    return refuse(403, `unable to negotiate protocol: client supports [${wanted.join(' ')}], server accepts [${protocols.join(' ')}]`);
  }
  if (!isUpgradeRequest(ctx) || !headers.upgrade?.toLowerCase().includes('spdy/3.1')) {
    return refuse(400, 'missing upgrade headers in request');
  }
  const { socket, head } = hijack(ctx);
  socket.write(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n${versionHeader}: ${protocol}\r\n\r\n`);
  if (head.length > 0) socket.unshift(head);
  return { connection: new SpdyConnection({ transport: socket, role: 'server', onStream }), protocol };
}
