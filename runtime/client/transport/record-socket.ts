import { Duplex } from 'node:stream';
import { NetworkError } from './network-error.ts';

/** Codes of errors of servers that do not answer a handshake with a record of TLS, with HTTP or with something else. */
export const notTLS = { http: 'TLS_HTTP_RESPONSE', other: 'TLS_RECORD_HEADER' } as const;

/** Sizes in bytes, with the overhead that a cipher of TLS 1.2 may have. (crypto/tls maxCiphertext) */
const headerSize = 5;
const maxRecordSize = 16_384 + 2048;
/** Types of records. */
const alert = 21;
const handshake = 22;
/** Versions of TLS are far below this one. */
const impossibleVersion = 0x10_00;
/** The first byte of a record of SSL 2. */
const sslV2 = 0x80;

/**
 * A connection for TLS, over another one. OpenSSL does not tell what a server has sent that speaks something else, so that the records
 * are looked at here: the first one must be of a handshake, and none may break off. (crypto/tls Conn.readRecordOrCCS)
 */
export class RecordSocket extends Duplex {
  readonly #socket: Duplex;
  #header: Uint8Array = Buffer.alloc(0);
  #isFirst = true;
  /** Bytes of a record that are still to come, after its header. */
  #missing = 0;

  constructor(socket: Duplex) {
    super({ allowHalfOpen: true });
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('end', () => this.#end());
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => this.destroy());
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(chunk: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket.write(chunk, encoding, done);
  }

  override _final(done: () => void): void {
    this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#socket.destroy();
    done(error);
  }

  #receive(chunk: Buffer): void {
    const problem = this.#problemOf(chunk);
    if (problem !== undefined) this.destroy(problem);
    else if (!this.push(chunk)) this.#socket.pause();
  }

  #end(): void {
    if (this.#missing > 0 || this.#header.length > 0) this.destroy(new NetworkError('unexpected EOF'));
    else this.push(null);
  }

  #problemOf(chunk: Buffer): NetworkError | undefined {
    for (let at = 0; at < chunk.length; ) {
      const skipped = Math.min(this.#missing, chunk.length - at);
      this.#missing -= skipped;
      at += skipped;
      const rest = chunk.subarray(at, at + headerSize - this.#header.length);
      at += rest.length;
      this.#header = Buffer.concat([this.#header, rest]);
      if (this.#header.length < headerSize) return undefined;
      const problem = this.#isFirst ? problemOfFirst(this.#header) : undefined;
      if (problem !== undefined) return problem;
      this.#isFirst = false;
      this.#missing = lengthOf(this.#header);
      this.#header = Buffer.alloc(0);
    }
    return undefined;
  }
}

const lengthOf = ([, , , high = 0, low = 0]: Uint8Array): number => high * 256 + low;

function problemOfFirst(header: Uint8Array): NetworkError | undefined {
  const [type, major = 0, minor = 0] = header;
  const fail = (text: string): NetworkError => {
    const isHTTP = Buffer.from(header).toString('latin1') === 'HTTP/';
    return new NetworkError(`tls: ${text}`, isHTTP ? notTLS.http : notTLS.other);
  };
  if (type === sslV2) return fail('unsupported SSLv2 handshake received');
  const isKnown = type === alert || type === handshake;
  if (!isKnown || major * 256 + minor >= impossibleVersion) return fail('first record does not look like a TLS handshake');
  const length = lengthOf(header);
  return length > maxRecordSize ? fail(`oversized record received with length ${length}`) : undefined;
}
