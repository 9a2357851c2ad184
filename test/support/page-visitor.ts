import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { Agent, request } from 'node:https';
import { text } from 'node:stream/consumers';
import type { RunningServer } from '../../runtime/index.ts';

/** The headers of a browser's request. */
type Headers = Record<string, string>;

/** A navigation by a user, and a request by a script of the page, as Chromium sends them. */
export const navigation: Headers = { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
export const ownRequest: Headers = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' };

/** What a browser has after it opened the page. */
export interface OpenPage {
  /** `name=value` of the session's cookie. */
  readonly cookie: string;
  readonly key: string;
}

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of all kinds
  readonly json: any;
}

/** A browser as the server sees it: a client that sends the headers that a test names, a foreign Host among them. */
export class PageVisitor {
  readonly #server: RunningServer;
  readonly #agent: Agent;

  constructor(server: RunningServer) {
    this.#server = server;
    this.#agent = new Agent({ ca: server.caCertificate, keepAlive: true, checkServerIdentity: () => undefined });
  }

  /** Returns the path of a new link. */
  link(): string {
    return (this.#server.ui?.link() ?? '').slice(this.#server.url.length);
  }

  get(path: string, headers: Headers = {}): Promise<Answer> {
    return this.send('GET', path, undefined, headers);
  }

  async send(method: string, path: string, body: string | undefined, headers: Headers): Promise<Answer> {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const port = this.#server.port;
    const sent = request({ host: '127.0.0.1', port, method, path, agent: this.#agent, headers: { ...type, ...headers } }).end(body);
    const [response] = await once(sent, 'response');
    const received = await text(response);
    const isJson = response.headers['content-type'] === 'application/json';
    return { status: response.statusCode, headers: response.headers, body: received, json: isJson ? JSON.parse(received) : undefined };
  }

  /** Opens a page with a link. @param path Default: a new link of the administrator */
  async open(path: string = this.link()): Promise<OpenPage> {
    const { headers, body } = await this.get(path, navigation);
    const cookie = /^[^;]+/.exec(headers['set-cookie']?.[0] ?? '')?.[0] ?? '';
    return { cookie, key: /#key=([\w-]+)/.exec(body)?.[1] ?? '' };
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** Returns the headers of the page's own request. */
export const asPage = ({ cookie, key }: OpenPage, more: Headers = {}): Headers => ({
  ...ownRequest,
  cookie,
  'x-kubeloom-page': key,
  ...more,
});
