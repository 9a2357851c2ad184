import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2';
import { Agent, request } from 'node:https';
import type { Readable } from 'node:stream';
import { WebSocket } from 'ws';
import type { RunningServer } from '../../runtime/index.ts';
import type { WatchEvent } from './watch-stream.ts';

/** The received part of a response. */
export interface Arrived {
  /** Undefined if nothing arrived. */
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The response is complete. */
  readonly isWhole: boolean;
}

export interface WireRequest {
  readonly method?: string;
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: object;
  readonly headers?: Record<string, string>;
}

const nothing: Arrived = { status: undefined, headers: {}, body: '', isWhole: false };

type Credentials = Pick<RunningServer, 'url' | 'caCertificate' | 'clientCertificate' | 'clientKey'>;

export type Protocol = 'HTTP/1.1' | 'HTTP/2' | 'WebSocket';

/** A client without retries that reports exactly what it received. Over WebSocket it supports only watches. */
export class WireClient {
  readonly #server: Credentials;
  readonly #protocol: Protocol;
  readonly #agent: Agent;
  #session: ClientHttp2Session | undefined;
  readonly #watches: ArrivingEvents[] = [];

  constructor(server: Credentials, protocol: Protocol) {
    const { caCertificate: ca, clientCertificate: cert, clientKey: key } = server;
    this.#server = server;
    this.#protocol = protocol;
    this.#agent = new Agent({ ca, cert, key, keepAlive: true });
  }

  /** Resolves with the received part when the response or the connection ends. */
  async send(wanted: WireRequest): Promise<Arrived> {
    const [status, headers, stream] = await this.#open(wanted);
    if (stream === undefined) return nothing;
    let body = '';
    stream.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    stream.on('error', () => undefined);
    let ended = false;
    stream.once('end', () => {
      ended = true;
    });
    if (!stream.destroyed) await new Promise((resolve) => stream.once('close', resolve));
    const isWhole = ended && !isBroken(stream);
    return { status, headers, body, isWhole };
  }

  async watch(path: string, headers: Record<string, string> = {}): Promise<ArrivingEvents> {
    const events = this.#protocol === 'WebSocket' ? await this.#socketEvents(path, headers) : await this.#events(path, headers);
    this.#watches.push(events);
    return events;
  }

  close(): void {
    for (const watch of this.#watches) watch.close();
    this.#agent.destroy();
    this.#session?.destroy();
  }

  async #events(path: string, headers: Record<string, string>): Promise<ArrivingEvents> {
    const [, , stream] = await this.#open({ path, headers });
    if (stream === undefined) throw new Error('the watch did not begin');
    const events = new ArrivingEvents(() => stream.destroy());
    let text = '';
    stream.setEncoding('utf8').on('data', (part: string) => {
      const lines = (text + part).split('\n');
      text = lines.pop() ?? '';
      for (const line of lines.filter(Boolean)) events.add(JSON.parse(line));
    });
    stream.once('end', () => events.end(isBroken(stream) ? 'Broken' : 'Ended'));
    stream.on('error', () => events.end('Broken'));
    stream.once('close', () => events.end('Broken'));
    return events;
  }

  async #socketEvents(path: string, headers: Record<string, string>): Promise<ArrivingEvents> {
    const { url, caCertificate: ca, clientCertificate: cert, clientKey: key } = this.#server;
    const socket = new WebSocket(`${url.replace('https', 'wss')}${path}`, { origin: url, ca, cert, key, headers });
    const events = new ArrivingEvents(() => socket.terminate());
    socket.on('message', (data) => events.add(JSON.parse(String(data))));
    socket.on('close', (code) => events.end(code === 1000 ? 'Ended' : 'Broken'));
    socket.on('error', () => events.end('Broken'));
    await new Promise((resolve) => socket.once('open', resolve).once('close', resolve));
    return events;
  }

  #open(wanted: WireRequest): Promise<[number | undefined, IncomingHttpHeaders, Readable | undefined]> {
    const { method = 'GET', path, body, headers = {} } = wanted;
    const text = body === undefined ? undefined : JSON.stringify(body);
    const all = { ...headers, ...(text === undefined ? {} : { 'content-type': 'application/json' }) };
    return this.#protocol === 'HTTP/2' ? this.#openStream(method, path, all, text) : this.#openMessage(method, path, all, text);
  }

  #openMessage(
    method: string,
    path: string,
    headers: Record<string, string>,
    body: string | undefined,
  ): Promise<[number | undefined, IncomingHttpHeaders, Readable | undefined]> {
    const { hostname: host, port } = new URL(this.#server.url);
    return new Promise((resolve) => {
      request({ host, port, method, path, headers, agent: this.#agent }, (incoming) =>
        resolve([incoming.statusCode, incoming.headers, incoming]),
      )
        .on('error', () => resolve([undefined, {}, undefined]))
        .end(body);
    });
  }

  async #openStream(
    method: string,
    path: string,
    headers: Record<string, string>,
    body: string | undefined,
  ): Promise<[number | undefined, IncomingHttpHeaders, Readable | undefined]> {
    const session = await this.#connected();
    if (session === undefined) return [undefined, {}, undefined];
    const stream: ClientHttp2Stream = session.request({ ...headers, ':method': method, ':path': path });
    stream.end(body);
    return new Promise((resolve) => {
      stream.once('response', (answered) => {
        resolve([answered[':status'], answered as IncomingHttpHeaders, stream as unknown as Readable]);
      });
      stream.once('error', () => resolve([undefined, {}, undefined]));
      stream.once('close', () => resolve([undefined, {}, undefined]));
    });
  }

  /** Returns undefined without a listener. */
  async #connected(): Promise<ClientHttp2Session | undefined> {
    if (this.#session === undefined || this.#session.closed || this.#session.destroyed) {
      const { url, caCertificate: ca, clientCertificate: cert, clientKey: key } = this.#server;
      this.#session = connect(url, { ca, cert, key });
      this.#session.on('error', () => undefined);
      try {
        await once(this.#session, 'connect');
      } catch {
        return undefined;
      }
    }
    return this.#session;
  }
}

/** Reports whether the connection ended before the response. Over HTTP/2, Node ends the stream in both cases. */
const isBroken = (stream: Readable & { aborted?: boolean; rstCode?: number }): boolean =>
  stream.errored !== null || stream.aborted === true || (stream.rstCode ?? 0) !== 0;

/** The end of a watch. */
export type WatchEnd = 'Ended' | 'Broken';

/** The events of a watch in order of arrival, and its end. */
export class ArrivingEvents {
  readonly #close: () => void;
  readonly #events: (WatchEvent | WatchEnd)[] = [];
  #hasEnded = false;
  #wake = (): void => undefined;

  constructor(close: () => void) {
    this.#close = close;
  }

  add(event: WatchEvent): void {
    this.#events.push(event);
    this.#wake();
  }

  end(how: WatchEnd): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#events.push(how);
    this.#wake();
  }

  /** The number of unread events. */
  get arrived(): number {
    return this.#events.length;
  }

  /** Returns `ADDED a`, `BOOKMARK 12`, `ERROR 410`, or the end of the watch. */
  async next(): Promise<string> {
    while (this.#events.length === 0) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const next = this.#events.shift() as WatchEvent | WatchEnd;
    if (typeof next === 'string') return next;
    const { type, object } = next;
    return type === 'ERROR'
      ? `ERROR ${object.code}`
      : type === 'BOOKMARK'
        ? `${type} ${object.metadata.resourceVersion}`
        : `${type} ${object.metadata.name}`;
  }

  async take(count: number): Promise<string[]> {
    const taken: string[] = [];
    while (taken.length < count) taken.push(await this.next());
    return taken;
  }

  close(): void {
    this.#close();
  }
}
