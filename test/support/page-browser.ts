import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { RunningServer, ServerOptions } from '../../runtime/index.ts';
import { startTestServer } from './test-server.ts';

/** Where Debian and others install Chromium; CHROMIUM names another place. */
const places = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const chromium = places.find((place) => place !== undefined && existsSync(place));
const built = fileURLToPath(new URL('../../dist/page/index.html', import.meta.url));

/** The reason why no browser can show the page; undefined if one can. */
export const missingBrowser =
  chromium === undefined
    ? 'this machine has no chromium: apt install chromium'
    : existsSync(built)
      ? undefined
      : 'dist/ has no page: make build';

/** A server with its page in a browser: a new page for each test. */
export class PageBrowser {
  #server: RunningServer | undefined;
  #browser: Browser | undefined;
  #context: BrowserContext | undefined;
  #page: Page | undefined;
  /** What the browser complained about. */
  readonly complaints: string[] = [];

  static forSuite(options: ServerOptions = {}): PageBrowser {
    const suite = new PageBrowser();
    beforeAll(async () => {
      const { chromium: driver } = await import('playwright-core');
      suite.#server = await startTestServer({ ui: true, ...options });
      // the sandbox needs namespaces that root in a container has not
      suite.#browser = await driver.launch({ ...(chromium && { executablePath: chromium }), args: ['--no-sandbox'] });
    });
    beforeEach(async () => {
      await suite.#context?.close();
      suite.complaints.length = 0;
      suite.#context = await suite.browser.newContext({ ignoreHTTPSErrors: true, viewport: { width: 1360, height: 800 } });
      suite.#page = await suite.open();
    });
    afterAll(async () => {
      await suite.#browser?.close();
      await suite.#server?.close();
    });
    return suite;
  }

  get server(): RunningServer {
    return opened(this.#server);
  }

  get browser(): Browser {
    return opened(this.#browser);
  }

  get page(): Page {
    return opened(this.#page);
  }

  /** Opens a further page in the browser of the test. */
  async open(): Promise<Page> {
    const page = await opened(this.#context).newPage();
    page.on('console', (message) => message.type() === 'error' && this.complaints.push(message.text()));
    page.on('pageerror', (error) => this.complaints.push(error.message));
    await page.goto(opened(this.server.ui).link());
    await page.getByRole('grid').waitFor();
    return page;
  }

  async go(hash: string): Promise<void> {
    await this.page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
  }

  // biome-ignore lint/suspicious/noExplicitAny: objects of all kinds
  async read(path: string): Promise<any> {
    return (await this.server.fetch(path)).json();
  }

  /** Writes an object as another client. */
  async write(method: string, path: string, body?: object, type = 'application/json'): Promise<void> {
    const headers = { 'content-type': type, 'user-agent': 'kubectl/v1.35.0' };
    const response = await this.server.fetch(path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
  }
}

function opened<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a browser opens before the first test');
  return value;
}
