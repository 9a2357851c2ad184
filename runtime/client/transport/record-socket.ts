import { ForwardedSocket } from './forwarded-socket.ts';
import { NetworkError } from './network-error.ts';

/** Error codes for servers that answer a handshake with HTTP, or with other bytes that are no TLS record. */
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
 * A connection for TLS that checks the received records: the first must be of a handshake, and none may break off. OpenSSL does
 * not report the bytes of a server that speaks another protocol. (crypto/tls Conn.readRecordOrCCS)
 */
export class RecordSocket extends ForwardedSocket {
  #header: Uint8Array = Buffer.alloc(0);
  #isFirst = true;
  /** The missing bytes of the current record's content. */
  #missing = 0;

  protected override receive(chunk: Buffer): boolean {
    const problem = this.#problemOf(chunk);
    if (problem === undefined) return this.push(chunk);
    this.destroy(problem);
    return true;
  }

  protected override receiveEnd(): void {
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
