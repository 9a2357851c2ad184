import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cborToJson, jsonToCbor } from './cbor.ts';
import { FloatObjects } from './float-objects.ts';
import type { Side } from './side.ts';

/** CBOR media types by JSON media type. Other patches have no CBOR form. */
const cborTypes: ReadonlyMap<string, string> = new Map([
  ['application/json', 'application/cbor'],
  ['application/apply-patch+yaml', 'application/apply-patch+cbor'],
]);
const notForwarded: ReadonlySet<string> = new Set([
  'authorization',
  'connection',
  'content-length',
  'content-type',
  'host',
  'transfer-encoding',
]);

/**
 * A proxy that speaks JSON with clients and CBOR with a server. It translates JSON bodies, `application/json` in
 * Accept, responses and watches. Everything else passes unchanged, so that a response in another format is visible.
 */
export class CborProxy {
  readonly url: string;
  /** The objects with floats in the server's responses. */
  readonly floats: FloatObjects;
  readonly #server: Server;

  private constructor(server: Server, floats: FloatObjects) {
    this.#server = server;
    this.floats = floats;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async open(side: Side): Promise<CborProxy> {
    const floats = new FloatObjects();
    const server = createServer((request, response) => void forward({ side, floats }, request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new CborProxy(server, floats);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

interface Destination {
  readonly side: Side;
  readonly floats: FloatObjects;
}

async function forward({ side, floats }: Destination, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = 'GET', url: path = '/' } = request;
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    if (!notForwarded.has(name) && value !== undefined) headers[name] = String(value);
  }
  if (headers.accept !== undefined && /^\/apis?(?:\/|$|\?)/.test(path)) {
    headers.accept = headers.accept.replaceAll('application/json', 'application/cbor');
  }
  const given = await bytesOf(request);
  const { body, contentType } = translated(given, request.headers['content-type']);
  if (contentType !== undefined) headers['content-type'] = contentType;
  if (given.length > 0 || request.headers['content-length'] !== undefined) headers['content-length'] = `${body.length}`;
  const outgoing = side.open({ method, path, headers }, (incoming) => {
    const documents = new CborDocuments((json) => floats.add(path, json));
    respond(incoming, response, documents);
  });
  outgoing.on('error', () => response.destroy());
  response.on('close', () => outgoing.destroy());
  outgoing.end(body);
}

/** Returns the body unchanged if it is not JSON or has no CBOR form. */
function translated(body: Buffer, type: string | undefined): { body: Buffer; contentType: string | undefined } {
  const contentType = type === undefined ? undefined : cborTypes.get(type);
  if (contentType === undefined) return { body, contentType: type };
  try {
    return { body: jsonToCbor(body.toString()), contentType };
  } catch {
    return { body, contentType: type };
  }
}

function respond(incoming: IncomingMessage, response: ServerResponse, documents: CborDocuments): void {
  const type = incoming.headers['content-type'] ?? '';
  const isCbor = type.startsWith('application/cbor');
  const headers: string[] = [];
  for (let i = 0; i < incoming.rawHeaders.length; i += 2) {
    const [name, value] = incoming.rawHeaders.slice(i, i + 2);
    if (!/^(?:connection|transfer-encoding|content-length|content-type)$/i.test(name)) headers.push(name, value);
  }
  if (type !== '') headers.push('Content-Type', isCbor ? type.replace('/cbor', '/json') : type);
  response.writeHead(incoming.statusCode ?? 0, headers);
  response.flushHeaders();
  incoming.on('data', (part: Buffer) => response.write(isCbor ? documents.translate(part) : part));
  incoming.on('end', () => response.end(documents.rest));
  incoming.on('close', () => {
    if (!incoming.complete) response.destroy();
  });
}

/** A sequence of documents that arrives in parts. */
class CborDocuments {
  readonly #onWholeFloats: (json: string) => void;
  #bytes: Buffer = Buffer.alloc(0);

  /** @param onWholeFloats called for documents with whole numbers stored as floats */
  constructor(onWholeFloats: (json: string) => void) {
    this.#onWholeFloats = onWholeFloats;
  }

  /** Returns the completed documents, one per line. */
  translate(part: Buffer): string {
    this.#bytes = Buffer.concat([this.#bytes, part]);
    let text = '';
    for (let document = cborToJson(this.#bytes); document !== undefined; document = cborToJson(this.#bytes)) {
      text += `${document.json}\n`;
      if (document.hasWholeFloats) this.#onWholeFloats(document.json);
      this.#bytes = this.#bytes.subarray(document.end);
    }
    return text;
  }

  /** Returns the undecoded bytes as hexadecimal digits. */
  get rest(): string {
    return this.#bytes.toString('hex');
  }
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts);
}
