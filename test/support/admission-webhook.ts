import { type SentResponse, WebhookServer } from './webhook-server.ts';

// biome-ignore lint/suspicious/noExplicitAny: objects of all kinds
type Any = any;

/** A hook's response to a request: the review's response without its uid, or anything else to send. */
export type HookAnswer =
  | { readonly allowed: boolean; readonly patch?: readonly object[] | string; readonly [member: string]: unknown }
  | { readonly sent: SentResponse | 'hang' | 'reset' };

export type Hook = (request: Any, review: Any) => HookAnswer | Promise<HookAnswer>;

export const allow: Hook = () => ({ allowed: true });

/** Returns a denial with the wording of upstream's test images. */
export const deny =
  (message: string): Hook =>
  () => ({ allowed: false, status: { message } });

/** Returns a JSON patch. */
export const patching =
  (...patch: object[]): Hook =>
  () => ({ allowed: true, patch });

/** A server on 127.0.0.1 with its own certificate authority that responds to AdmissionReviews. */
export class AdmissionWebhookServer {
  /** The requests of each path, in order. */
  readonly requests = new Map<string, Any[]>();
  readonly #hooks = new Map<string, Hook>();
  readonly #server: WebhookServer;

  private constructor(server: WebhookServer) {
    this.#server = server;
    server.respond = ({ url, body }) => this.#respond(url.replace(/\?.*/, ''), body);
  }

  /** @param names names in its certificate besides 127.0.0.1 */
  static async open(...names: string[]): Promise<AdmissionWebhookServer> {
    return new AdmissionWebhookServer(await WebhookServer.open(() => 'hang', ['127.0.0.1', ...names]));
  }

  get server(): WebhookServer {
    return this.#server;
  }

  get caBundle(): string {
    return Buffer.from(this.#server.authority.certificate).toString('base64');
  }

  /** Sets the hook at a path. Returns the clientConfig of a webhook. */
  on(path: string, hook: Hook): Any {
    this.#hooks.set(path, hook);
    this.requests.set(path, []);
    return { url: this.#server.url + path, caBundle: this.caBundle };
  }

  /** Returns the requests to a path since the last call. */
  take(path: string): Any[] {
    return this.requests.get(path)?.splice(0) ?? [];
  }

  async #respond(path: string, review: Any): Promise<SentResponse | 'hang' | 'reset'> {
    const hook = this.#hooks.get(path);
    if (hook === undefined) return { status: 404, body: 'no hook' };
    this.requests.get(path)?.push(review.request);
    const answer = await hook(review.request, review);
    if ('sent' in answer) return answer.sent as SentResponse | 'hang' | 'reset';
    const { patch, ...response } = answer as Exclude<HookAnswer, { sent: unknown }>;
    const encoded = Array.isArray(patch) && {
      patchType: 'JSONPatch',
      patch: Buffer.from(JSON.stringify(patch)).toString('base64'),
    };
    const { kind, apiVersion, request } = review;
    return {
      body: {
        kind,
        apiVersion,
        response: { uid: request.uid, ...(patch !== undefined && { patch }), ...encoded, ...response },
      },
    };
  }

  close(): Promise<void> {
    return this.#server.close();
  }
}

/** Returns a rule for the operations on resources of the core group, or of `group/version`. */
export const rule = (resources: string | string[], operations = 'CREATE', groupVersion = '/v1'): Any => {
  const [group, version] = groupVersion.split('/');
  return {
    operations: operations.split(' '),
    apiGroups: [group],
    apiVersions: [version],
    resources: [resources].flat(),
  };
};
