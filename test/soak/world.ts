import type { Credentials } from '../bench/raw-client.ts';
import { HttpClient, type HttpResponse } from '../support/http-client.ts';
import type { Random } from '../support/random.ts';

/** The context of one client of the mix, and its results. */
export class World {
  readonly name: string;
  readonly credentials: Credentials;
  readonly random: Random;
  readonly client: HttpClient;
  /** The numbers of succeeded and failed steps. */
  done = 0;
  failed = 0;

  constructor(name: string, credentials: Credentials, random: Random) {
    this.name = name;
    this.credentials = credentials;
    this.random = random;
    const { host, port, ca, cert, key } = credentials;
    this.client = HttpClient.for({
      url: `https://${host}:${port}`,
      caCertificate: ca,
      clientCertificate: cert,
      clientKey: key,
    });
  }

  /** Sends one request. Rejections are part of the mix; a failing server is not. */
  async send(method: string, path: string, body?: unknown, type = 'application/json', accept?: string): Promise<HttpResponse> {
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const headers = accept === undefined ? undefined : { accept };
    const response = await this.client.send(method, path, text, text === undefined ? undefined : type, { headers });
    if (response.status >= 500 && response.status !== 503 && response.status !== 504) {
      throw new Error(`${method} ${path}: ${response.status} ${response.body.toString().slice(0, 300)}`);
    }
    return response;
  }

  /** Prints the first few errors, so that a failing run is not silent. */
  fail(error: Error): void {
    this.failed++;
    if (this.failed <= 5) console.error(`  ${this.name}: ${error.message.slice(0, 400)}`);
  }

  close(): void {
    this.client.close();
  }
}
