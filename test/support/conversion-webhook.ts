import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { issueCertificate } from '../../runtime/server/x509-certificate.ts';

// biome-ignore lint/suspicious/noExplicitAny: objects of all kinds
type Any = any;

/** A server on 127.0.0.1 with its own certificate authority that responds to ConversionReviews. */
export class ConversionWebhook {
  /** The requests, in order. */
  readonly reviews: Any[] = [];
  /** Converts one object to another version; the caller copies the metadata. */
  convert: (object: Any, apiVersion: string) => Any;
  /** Replaces the whole response if it is set. */
  respond: ((review: Any) => { status?: number; body: unknown }) | undefined;
  readonly #server: Server;
  readonly #authority: string;

  private constructor(server: Server, authority: string, convert: (object: Any, apiVersion: string) => Any) {
    this.#server = server;
    this.#authority = authority;
    this.convert = convert;
  }

  static async open(convert: (object: Any, apiVersion: string) => Any): Promise<ConversionWebhook> {
    const from = Date.now() - 60_000;
    const validity = { from, until: from + 24 * 3600 * 1000 };
    const authority = issueCertificate({ commonName: 'webhook-ca', use: 'ca', ...validity });
    const serving = issueCertificate(
      { commonName: '127.0.0.1', names: ['127.0.0.1', 'hook.default.svc'], use: 'server', ...validity },
      authority,
    );
    const server = createServer({ cert: serving.certificate, key: serving.key });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const webhook = new ConversionWebhook(server, authority.certificate, convert);
    server.on('request', (request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const { status = 200, body } = webhook.#responseTo(JSON.parse(Buffer.concat(parts).toString()));
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      });
    });
    return webhook;
  }

  /** `spec.conversion` of a definition. */
  get conversion(): Any {
    return {
      strategy: 'Webhook',
      webhook: { conversionReviewVersions: ['v1'], clientConfig: this.clientConfig },
    };
  }

  get clientConfig(): Any {
    return { url: this.url, caBundle: Buffer.from(this.#authority).toString('base64') };
  }

  get url(): string {
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}/convert`;
  }

  #responseTo(review: Any): { status?: number; body: unknown } {
    this.reviews.push(review);
    if (this.respond) return this.respond(review);
    const { uid, objects, desiredAPIVersion } = review.request;
    const convertedObjects = objects.map((object: Any) => ({
      ...this.convert(object, desiredAPIVersion),
      apiVersion: desiredAPIVersion,
    }));
    const { apiVersion } = review;
    return {
      body: {
        kind: 'ConversionReview',
        apiVersion,
        response: { uid, convertedObjects, result: { status: 'Success' } },
      },
    };
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
