import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ApiContext } from '../../http/context.ts';
import { hijack } from '../../http/upgrade.ts';

/**
 * Joins the client's connection with the connection of a server that has switched protocols. Resolves when both are
 * closed: closing one closes the other. (apimachinery pkg/util/proxy/upgradeaware.go)
 */
export function joinConnections(ctx: ApiContext, answer: IncomingMessage, server: Duplex, head: Buffer): Promise<void> {
  if (ctx.state.isAborted) {
    server.destroy();
    return Promise.resolve();
  }
  const client = hijack(ctx);
  client.socket.write(headOf(answer));
  if (head.length > 0) client.socket.write(head);
  if (client.head.length > 0) server.write(client.head);
  client.socket.pipe(server);
  server.pipe(client.socket);
  ctx.state.onAbort(() => client.socket.destroy());
  return new Promise((resolve) => {
    const open = new Set([client.socket, server]);
    for (const socket of open) {
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        open.delete(socket);
        for (const other of open) other.destroy();
        if (open.size === 0) resolve();
      });
    }
    // the client may have gone before a listener was added
    if (client.socket.destroyed) server.destroy();
  });
}

/** Returns the server's status line and headers. */
function headOf({ httpVersion, statusCode, statusMessage, rawHeaders }: IncomingMessage): Buffer {
  let text = `HTTP/${httpVersion} ${statusCode} ${statusMessage}\r\n`;
  for (let at = 0; at < rawHeaders.length; at += 2) text += `${rawHeaders[at]}: ${rawHeaders[at + 1]}\r\n`;
  return Buffer.from(`${text}\r\n`, 'latin1');
}
