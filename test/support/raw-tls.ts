import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import type { SecureServing } from '../../runtime/serving/secure-serving.ts';

/** A connection with every byte under the test's control. */
export class RawTls {
  readonly socket: TLSSocket;
  text = '';
  /** Resolves when either side closes the connection. */
  readonly closed: Promise<void>;

  private constructor(socket: TLSSocket) {
    this.socket = socket;
    socket.setEncoding('latin1');
    socket.on('data', (part: string) => {
      this.text += part;
    });
    socket.on('error', () => undefined);
    this.closed = new Promise((resolve) => {
      socket.once('close', () => resolve());
    });
  }

  /** Opens a connection with the administrator's certificate. */
  static open(
    { url, caCertificate: ca, admin }: Pick<SecureServing, 'url' | 'caCertificate' | 'admin'>,
    protocol: 'http/1.1' | 'h2' = 'http/1.1',
    options: ConnectionOptions = {},
  ): Promise<RawTls> {
    const { hostname: host, port } = new URL(url);
    const { certificate: cert, key } = admin;
    return new Promise((resolve, reject) => {
      const socket = connect({ host, port: Number(port), ca, cert, key, ALPNProtocols: [protocol], ...options }, () =>
        resolve(new RawTls(socket)),
      );
      socket.once('error', reject);
    });
  }

  send(bytes: string | Uint8Array): this {
    if (!this.socket.destroyed) this.socket.write(bytes);
    return this;
  }

  /** Resolves when the received bytes match. */
  async until(pattern: RegExp): Promise<string> {
    while (!pattern.test(this.text)) {
      if (this.socket.destroyed) throw new Error(`closed after ${JSON.stringify(this.text)}`);
      await new Promise<void>((resolve) => {
        const more = (): void => {
          this.socket.off('data', more).off('close', more);
          resolve();
        };
        this.socket.on('data', more).on('close', more);
      });
    }
    return this.text;
  }

  destroy(): void {
    this.socket.destroy();
  }
}

/** Returns an HTTP/2 frame. (RFC 9113, 4.1) */
export function frame(type: number, flags: number, stream: number, payload: Uint8Array = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

export const frames = {
  data: 0,
  headers: 1,
  priority: 2,
  reset: 3,
  settings: 4,
  ping: 6,
  goAway: 7,
  windowUpdate: 8,
  continuation: 9,
};

/** The client connection preface of HTTP/2. */
export const preface = Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), frame(frames.settings, 0, 0)]);

/** Returns the HEADERS of a GET. `pairs` replace the authority; none is longer than 126 bytes. */
export function getFrame(stream: number, path: string, pairs: readonly (readonly [string, string])[] = authority): Buffer {
  const literal = ([name, value]: readonly [string, string]): Buffer =>
    Buffer.concat([Buffer.from([0, name.length]), Buffer.from(name), Buffer.from([value.length]), Buffer.from(value)]);
  // :method GET and :scheme https of the static table
  const block = [Buffer.from([0x82, 0x87]), literal([':path', path]), ...pairs.map(literal)];
  return frame(frames.headers, 0x5, stream, Buffer.concat(block));
}

const authority = [[':authority', 'x']] as const;
