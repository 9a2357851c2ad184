import { connect as connectPlain, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { connect } from 'node:tls';
import type { Credentials } from '../../bench/raw-client.ts';
import { hungUp, type Raw, type Request, type Sent } from './attack.ts';
import { ResponseReader } from './response-reader.ts';

export interface AttackResponse {
  /** The code; `hungUp` without a response. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The beginning of the body. */
  readonly body: string;
  /** The bytes of the whole body as received, framing included. */
  readonly bytes: number;
}

/**
 * Sends the input over a new connection and reads the response, even if it arrives before the request is written, or
 * breaks off.
 *
 * @param isHead returns the response as soon as its headers are complete
 */
export async function exchange(to: Credentials, sent: Sent, isHead = false, signal?: AbortSignal): Promise<AttackResponse> {
  const raw: Raw = 'wire' in sent ? sent : { wire: [bytesOfRequest(sent)], as: sent.as };
  const socket = await open(to, raw);
  const reader = new ResponseReader(isHead || ('method' in sent && sent.method === 'HEAD'));
  try {
    const ended = new Promise<void>((resolve) => {
      const isComplete = raw.until === undefined ? (chunk: Buffer) => reader.take(chunk) : readUntil(raw.until, reader);
      if (!raw.isDeaf) socket.on('data', (chunk: Buffer) => isComplete(chunk) && resolve());
      socket.on('error', () => resolve());
      socket.on('close', () => resolve());
      signal?.addEventListener('abort', () => resolve());
    });
    await Promise.race([ended, write(socket, raw).then(() => ended)]);
    return reader.response;
  } finally {
    socket.destroy();
  }
}

/** Reports whether a text has arrived in addition to the response. */
function readUntil(wanted: string, reader: ResponseReader): (chunk: Buffer) => boolean {
  let tail = '';
  return (chunk) => {
    reader.take(chunk);
    const text = tail + chunk.toString('latin1');
    tail = text.slice(-wanted.length);
    return text.includes(wanted);
  };
}

async function write(socket: Socket, { wire, pause, ends, leavesAfter }: Raw): Promise<void> {
  for (const piece of wire) {
    if (socket.destroyed) return;
    socket.write(piece);
    if (pause !== undefined) await setTimeout(pause);
  }
  if (ends) socket.end();
  if (leavesAfter === undefined) return;
  await setTimeout(leavesAfter);
  socket.destroy();
}

function open(to: Credentials, { speaks = 'http/1.1', as = 'admin' }: Raw): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const { host, port } = to;
    const identity = as === 'admin' ? { cert: to.cert, key: to.key } : as === 'anonymous' ? {} : as;
    const socket: Socket =
      speaks === 'plain'
        ? connectPlain(port, host, () => resolve(socket))
        : connect({ host, port, ca: to.ca, ...identity, ALPNProtocols: [speaks] }, () => resolve(socket));
    socket.once('error', reject);
  });
}

/** Returns the bytes of a well-behaved client. */
export function bytesOfRequest({ method, path, body, headers }: Request): Buffer {
  const lines = [`${method} ${path} HTTP/1.1`, 'host: 127.0.0.1'];
  const all = { accept: 'application/json', 'user-agent': 'attacks', ...headers };
  for (const [name, value] of Object.entries(all)) lines.push(`${name}: ${value}`);
  if (body !== undefined) lines.push(`content-length: ${Buffer.byteLength(body)}`);
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`);
  return body === undefined ? head : Buffer.concat([head, Buffer.from(body)]);
}

export const noResponse: AttackResponse = { status: hungUp, headers: {}, body: '', bytes: 0 };
