import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import type { RunningServer } from '../../runtime/index.ts';

// biome-ignore lint/suspicious/noExplicitAny: objects of all kinds
export type WatchEvent = { readonly type: string; readonly object: any };

/** A JSON watch, read event by event. */
export class WatchStream {
  readonly status: number;
  readonly #incoming: IncomingMessage;
  readonly #events: WatchEvent[] = [];
  #text = '';
  #ended = false;
  #wake = (): void => {};

  private constructor(incoming: IncomingMessage) {
    this.#incoming = incoming;
    this.status = incoming.statusCode ?? 0;
    incoming.setEncoding('utf8');
    incoming.on('data', (text: string) => {
      this.#text += text;
      const lines = this.#text.split('\n');
      this.#text = lines.pop() ?? '';
      this.#events.push(...lines.filter(Boolean).map((line) => JSON.parse(line)));
      this.#wake();
    });
    incoming.on('close', () => {
      this.#ended = true;
      this.#wake();
    });
    incoming.on('error', () => this.#wake());
  }

  static open(
    server: Pick<RunningServer, 'url' | 'caCertificate' | 'clientCertificate' | 'clientKey'>,
    path: string,
    headers: Record<string, string> = {},
  ): Promise<WatchStream> {
    const { hostname: host, port } = new URL(server.url);
    const { caCertificate: ca, clientCertificate: cert, clientKey: key } = server;
    return new Promise((resolve, reject) => {
      request({ host, port, ca, cert, key, path, headers, agent: false }, (incoming) => resolve(new WatchStream(incoming)))
        .on('error', reject)
        .end();
    });
  }

  /** Returns the next event; undefined at the end of the stream. */
  async next(): Promise<WatchEvent | undefined> {
    while (this.#events.length === 0 && !this.#ended) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.#events.shift();
  }

  async take(count: number): Promise<WatchEvent[]> {
    const events: WatchEvent[] = [];
    while (events.length < count) {
      const event = await this.next();
      if (event === undefined) throw new Error(`the watch ended after ${events.length} events`);
      events.push(event);
    }
    return events;
  }

  /** Returns all remaining events. */
  async rest(): Promise<WatchEvent[]> {
    const events: WatchEvent[] = [];
    for (let event = await this.next(); event !== undefined; event = await this.next()) events.push(event);
    return events;
  }

  /** Stops reading until `resume`. */
  pause(): void {
    this.#incoming.pause();
  }

  resume(): void {
    this.#incoming.resume();
  }

  close(): void {
    this.#incoming.destroy();
  }
}
