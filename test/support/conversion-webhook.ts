import { type SentResponse, WebhookServer } from './webhook-server.ts';

// biome-ignore lint/suspicious/noExplicitAny: objects of all kinds
type Any = any;

/** A server on 127.0.0.1 with its own certificate authority that responds to ConversionReviews. */
export class ConversionWebhook {
  /** The requests, in order. */
  readonly reviews: Any[] = [];
  /** Converts one object to another version. The caller copies the metadata. */
  convert: (object: Any, apiVersion: string) => Any;
  /** If set, replaces the whole response. */
  respond: ((review: Any) => SentResponse) | undefined;
  readonly #server: WebhookServer;

  private constructor(server: WebhookServer, convert: (object: Any, apiVersion: string) => Any) {
    this.#server = server;
    this.convert = convert;
    server.respond = ({ body }) => this.#responseTo(body);
  }

  static async open(convert: (object: Any, apiVersion: string) => Any): Promise<ConversionWebhook> {
    return new ConversionWebhook(await WebhookServer.open(() => 'hang', ['127.0.0.1', 'hook.default.svc']), convert);
  }

  /** `spec.conversion` of a definition. */
  get conversion(): Any {
    return {
      strategy: 'Webhook',
      webhook: { conversionReviewVersions: ['v1'], clientConfig: this.clientConfig },
    };
  }

  get clientConfig(): Any {
    return { url: this.url, caBundle: Buffer.from(this.#server.authority.certificate).toString('base64') };
  }

  get url(): string {
    return `${this.#server.url}/convert`;
  }

  #responseTo(review: Any): SentResponse {
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

  close(): Promise<void> {
    return this.#server.close();
  }
}
