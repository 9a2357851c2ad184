import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Http2Server, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';

/** The error of a plugin's calls. */
export interface PluginFailure {
  /** A gRPC status code. */
  readonly code: number;
  readonly message: string;
}

/**
 * A KMS plugin on its own Unix socket, with keys in memory. It encrypts a seed with the key `keyID`, and repeats the ID
 * in an annotation. (kms apis/v2)
 */
export class KMSPlugin {
  readonly #keys = new Map<string, Buffer>();
  readonly #sessions = new Set<ServerHttp2Session>();
  readonly #folder: string;
  #server: Http2Server | undefined;
  /** The names of called methods, in order. */
  readonly calls: string[] = [];
  version = 'v2';
  healthz = 'ok';
  keyID = 'key-1';
  failure: PluginFailure | undefined;
  /** Calls get no response. */
  hangs = false;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async create(): Promise<KMSPlugin> {
    return new KMSPlugin(await mkdtemp(join(tmpdir(), 'kms-')));
  }

  get path(): string {
    return join(this.#folder, 'kms.sock');
  }

  get endpoint(): string {
    return `unix://${this.path}`;
  }

  listen(): Promise<void> {
    const server = createServer();
    server.on('session', (session) => {
      this.#sessions.add(session);
      session.on('close', () => this.#sessions.delete(session));
    });
    server.on('stream', (stream, headers) => this.#answer(stream, String(headers[':path'])));
    this.#server = server;
    return new Promise((resolve) => server.listen(this.path, resolve));
  }

  /** Closes all connections. The keys stay for another `listen`. */
  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    for (const session of this.#sessions) session.destroy();
    if (server !== undefined) await new Promise((resolve) => server.close(resolve));
  }

  async close(): Promise<void> {
    await this.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** Deletes a key. Its ciphertexts become undecryptable. */
  destroyKey(keyID: string): void {
    this.#keys.delete(keyID);
  }

  #answer(stream: ServerHttp2Stream, path: string): void {
    const chunks: Buffer[] = [];
    stream.on('error', () => undefined);
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      const method = path.slice('/v2.KeyManagementService/'.length);
      this.calls.push(method);
      if (this.hangs) return;
      const failure = this.failure;
      if (failure !== undefined) return refuse(stream, failure);
      const request = fieldsOf(Buffer.concat(chunks).subarray(5));
      try {
        respond(stream, this.#response(method, request));
      } catch (error) {
        refuse(stream, { code: 3, message: (error as Error).message });
      }
    });
  }

  #response(method: string, request: ReadonlyMap<number, Buffer>): Uint8Array {
    const writer = new BinaryWriter();
    const bytes = (field: number, value: Uint8Array): void => void writer.tag(field, WireType.LengthDelimited).bytes(value);
    const text = (field: number, value: string): void => bytes(field, Buffer.from(value));
    if (method === 'Status') {
      text(1, this.version);
      text(2, this.healthz);
      text(3, this.keyID);
    } else if (method === 'Encrypt') {
      bytes(1, this.#encrypt(request.get(1) ?? Buffer.alloc(0)));
      text(2, this.keyID);
      writer.tag(3, WireType.LengthDelimited).fork();
      text(1, 'key.kms.test');
      text(2, this.keyID);
      writer.join();
    } else {
      bytes(1, this.#decrypt(request.get(1) ?? Buffer.alloc(0), String(request.get(3))));
    }
    return writer.finish();
  }

  #encrypt(plain: Uint8Array): Buffer {
    let key = this.#keys.get(this.keyID);
    if (key === undefined) {
      key = randomBytes(32);
      this.#keys.set(this.keyID, key);
    }
    const vector = randomBytes(16);
    const cipher = createCipheriv('aes-256-ctr', key, vector);
    return Buffer.concat([vector, cipher.update(plain)]);
  }

  #decrypt(ciphertext: Buffer, keyID: string): Buffer {
    const key = this.#keys.get(keyID);
    if (key === undefined) throw new Error(`the key ${keyID} is gone: 100%`);
    return createDecipheriv('aes-256-ctr', key, ciphertext.subarray(0, 16)).update(ciphertext.subarray(16));
  }
}

function fieldsOf(message: Buffer): Map<number, Buffer> {
  const fields = new Map<number, Buffer>();
  const reader = new BinaryReader(message);
  while (reader.pos < reader.len) {
    const [field] = reader.tag();
    fields.set(field, Buffer.from(reader.bytes()));
  }
  return fields;
}

function respond(stream: ServerHttp2Stream, message: Uint8Array): void {
  const frame = Buffer.alloc(5 + message.length);
  frame.writeUInt32BE(message.length, 1);
  frame.set(message, 5);
  stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
  stream.end(frame);
}

function refuse(stream: ServerHttp2Stream, { code, message }: PluginFailure): void {
  const headers = { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': String(code) };
  stream.respond({ ...headers, 'grpc-message': encodeURIComponent(message) }, { endStream: true });
}
