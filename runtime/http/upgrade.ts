import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { badRequest } from '../machinery/errors/status.ts';
import type { ApiContext } from './context.ts';

interface PendingUpgrade {
  readonly socket: Duplex;
  readonly head: Buffer;
  taken: boolean;
}

const pending = new WeakMap<object, PendingUpgrade>();

/** Records that a request came with `Connection: Upgrade`, so that an endpoint may take over its socket. Called by the listener. */
export function offerUpgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void {
  pending.set(req, { socket, head, taken: false });
}

/** Reports whether an endpoint took over the socket. Otherwise the response is plain HTTP, and ends the connection. */
export function upgradeTaken(req: IncomingMessage): boolean {
  return pending.get(req)?.taken === true;
}

/** Reports whether the client wants to switch to another protocol. (httpstream.IsUpgradeRequest) */
export const isUpgradeRequest = ({ req }: ApiContext): boolean => pending.has(req);

/** A client's connection, and the bytes that the client sent after the request. */
export interface HijackedConnection {
  readonly socket: Duplex;
  readonly head: Buffer;
}

/**
 * Takes over the connection of an upgrade request. From now on, only the caller writes to the connection. The request
 * is complete when the connection closes. (http.Hijacker)
 */
export function hijack(ctx: ApiContext): HijackedConnection {
  const upgrade = pending.get(ctx.req);
  if (upgrade === undefined) throw badRequest('the request is not an upgrade');
  upgrade.taken = true;
  ctx.state.audit?.responseStarted(101);
  (ctx.res as { detachSocket?(socket: Duplex): void }).detachSocket?.(upgrade.socket);
  // Without its socket, the response never emits the `close` that completes the request.
  upgrade.socket.once('close', () => ctx.res.emit('close'));
  return upgrade;
}
