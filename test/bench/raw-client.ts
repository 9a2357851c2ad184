import { connect, type TLSSocket } from 'node:tls';

export interface Credentials {
  readonly host: string;
  readonly port: number;
  readonly ca: string;
  readonly cert?: string;
  readonly key?: string;
  /** Trust any certificate. Default: only those of `ca`. */
  readonly isInsecure?: boolean;
}

export interface RawResponse {
  readonly status: number;
  readonly bytes: number;
  /** Present only if requested. */
  readonly body?: Buffer;
}

const lastChunk = Buffer.from('0\r\n\r\n');

interface Waiting {
  readonly keep: boolean;
  readonly resolve: (response: RawResponse) => void;
  readonly reject: (error: Error) => void;
}

/**
 * An HTTP/1.1 connection that sends prepared bytes and parses only the necessary part of responses. Node's own client
 * costs more than the measured servers, and would dominate the results.
 */
export class RawConnection {
  readonly #socket: TLSSocket;
  #waiting: Waiting | undefined;
  #head: Buffer = Buffer.alloc(0);
  #status = 0;
  #left = -1;
  #chunked = false;
  #bytes = 0;
  #kept: Buffer[] = [];
  #tail: Buffer = Buffer.alloc(0);

  private constructor(socket: TLSSocket) {
    this.#socket = socket;
    socket.on('data', (chunk) => this.#read(chunk));
    socket.on('error', (error) => this.#waiting?.reject(error));
    socket.on('close', () => this.#waiting?.reject(new Error('the connection closed')));
  }

  static open(to: Credentials): Promise<RawConnection> {
    return new Promise((resolve, reject) => {
      const socket = connect(
        {
          host: to.host,
          port: to.port,
          ca: to.ca,
          cert: to.cert,
          key: to.key,
          ALPNProtocols: ['http/1.1'],
          rejectUnauthorized: !to.isInsecure,
        },
        () => resolve(new RawConnection(socket)),
      );
      socket.once('error', reject);
      socket.setNoDelay(true);
    });
  }

  static request(method: string, path: string, body?: string | Buffer, headers: Record<string, string> = {}): Buffer {
    const bytes = body === undefined ? undefined : Buffer.from(body);
    const lines = [`${method} ${path} HTTP/1.1`, 'host: 127.0.0.1', 'user-agent: kubeloom-bench'];
    for (const [name, value] of Object.entries({ accept: 'application/json', ...headers })) lines.push(`${name}: ${value}`);
    if (bytes !== undefined) lines.push(`content-length: ${bytes.length}`);
    const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`);
    return bytes === undefined ? head : Buffer.concat([head, bytes]);
  }

  send(request: Buffer, keep = false): Promise<RawResponse> {
    return new Promise((resolve, reject) => {
      if (this.#socket.destroyed || !this.#socket.writable) {
        reject(new Error('the connection was closed by the server'));
        return;
      }
      this.#waiting = { keep, resolve, reject };
      this.#socket.write(request);
    });
  }

  /** Sends a request with an endless response. Passes every chunk to `onData`, headers included. */
  stream(request: Buffer, onData: (chunk: Buffer) => void): void {
    this.#socket.removeAllListeners('data');
    this.#socket.on('data', onData);
    this.#socket.write(request);
  }

  close(): void {
    this.#waiting = undefined;
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    let rest = chunk;
    if (this.#status === 0) {
      this.#head = this.#head.length === 0 ? rest : Buffer.concat([this.#head, rest]);
      const end = this.#head.indexOf('\r\n\r\n');
      if (end < 0) return;
      const head = this.#head.toString('latin1', 0, end).toLowerCase();
      rest = this.#head.subarray(end + 4);
      this.#head = Buffer.alloc(0);
      this.#status = Number(head.slice(9, 12));
      this.#chunked = head.includes('transfer-encoding: chunked');
      const length = /content-length: (\d+)/.exec(head);
      this.#left = length === null ? 0 : Number(length[1]);
    }
    this.#bytes += rest.length;
    if (this.#waiting?.keep) this.#kept.push(rest);
    // the end of a chunked response may arrive in pieces
    if (this.#chunked) this.#tail = Buffer.concat([this.#tail, rest.subarray(-lastChunk.length)]).subarray(-lastChunk.length);
    if (this.#chunked ? this.#tail.equals(lastChunk) : this.#bytes >= this.#left) this.#finish();
  }

  #finish(): void {
    const waiting = this.#waiting;
    const body = waiting?.keep ? Buffer.concat(this.#kept) : undefined;
    const response = { status: this.#status, bytes: this.#bytes, body: body && this.#chunked ? unchunk(body) : body };
    this.#status = 0;
    this.#bytes = 0;
    this.#kept = [];
    this.#tail = Buffer.alloc(0);
    this.#waiting = undefined;
    waiting?.resolve(response);
  }
}

function unchunk(body: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < body.length; ) {
    const line = body.indexOf('\r\n', at);
    const size = Number.parseInt(body.toString('latin1', at, line), 16);
    if (size === 0) break;
    parts.push(body.subarray(line + 2, line + 2 + size));
    at = line + 2 + size + 2;
  }
  return Buffer.concat(parts);
}

/** Sends requests over `connections` for `ms`, one after the other on each. Returns responses per second and bytes. */
export async function hammer(
  connections: readonly RawConnection[],
  ms: number,
  next: () => Buffer | undefined,
  expect: readonly number[] = [200],
): Promise<{ perSecond: number; megabytesPerSecond: number; latencies: number[] }> {
  const start = performance.now();
  const latencies: number[] = [];
  let bytes = 0;
  const loop = async (connection: RawConnection): Promise<void> => {
    while (performance.now() - start < ms) {
      const request = next();
      if (request === undefined) return;
      const sent = performance.now();
      const response = await connection.send(request);
      if (!expect.includes(response.status)) throw new Error(`answered ${response.status}`);
      latencies.push(performance.now() - sent);
      bytes += response.bytes;
    }
  };
  await Promise.all(connections.map(loop));
  const seconds = (performance.now() - start) / 1000;
  return { perSecond: latencies.length / seconds, megabytesPerSecond: bytes / 1e6 / seconds, latencies };
}
