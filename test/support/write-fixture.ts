import { setImmediate } from 'node:timers/promises';
import type { RunningServer, ServerOptions } from '../../runtime/index.ts';
import { HttpClient, type HttpResponse } from './http-client.ts';
import { quietNamespaces } from './quiet-namespaces.ts';
import { newStorePlace, type StorePlace } from './store-place.ts';
import { startTestServer } from './test-server.ts';

/** Media types of patches. */
export const patchTypes = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

interface Entry {
  readonly manager: string;
  readonly operation: string;
  readonly subresource?: string;
}

/**
 * A server, by default in memory, with one call for each kind of write. Paths are relative to the collection; bodies
 * are objects.
 */
export class WriteFixture {
  readonly server: RunningServer;
  readonly http: HttpClient;
  readonly #place: StorePlace;

  private constructor(server: RunningServer, place: StorePlace) {
    this.server = server;
    this.http = HttpClient.for(server);
    this.#place = place;
  }

  static async open({ storage, ...given }: ServerOptions = {}): Promise<WriteFixture> {
    const place = await newStorePlace(storage);
    return new WriteFixture(await startTestServer({ ...quietNamespaces, ...given, ...place.options }), place);
  }

  async close(): Promise<void> {
    this.http.close();
    await this.server.close();
    await this.#place.dispose();
  }

  get(path: string): Promise<HttpResponse> {
    return this.http.get(path);
  }

  /** Resolves when a collection is served, soon after its definition. */
  async served(path: string): Promise<void> {
    while ((await this.get(path)).status !== 200) await setImmediate();
  }

  create(path: string, object: unknown, headers: Record<string, string> = {}): Promise<HttpResponse> {
    return this.http.send('POST', path, textOf(object), 'application/json', { headers });
  }

  put(path: string, object: unknown): Promise<HttpResponse> {
    return this.http.send('PUT', path, textOf(object), 'application/json');
  }

  patch(kind: keyof typeof patchTypes, path: string, body: unknown): Promise<HttpResponse> {
    return this.http.send('PATCH', path, textOf(body), patchTypes[kind]);
  }

  remove(path: string): Promise<HttpResponse> {
    return this.http.send('DELETE', path);
  }
}

/** Text is sent unchanged, for bodies that are not objects. */
const textOf = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body));

/** `one Apply`, `two Update status` */
export function ownersOf(object: { metadata: { managedFields?: readonly Entry[] } }): string[] {
  return (object.metadata.managedFields ?? []).map(({ manager, operation, subresource }) =>
    [manager, operation, subresource].filter(Boolean).join(' '),
  );
}

/** Returns the warnings of a response, without their code. */
export function warningsOf({ headers }: HttpResponse): string[] {
  const all = headers.warning ?? '';
  return [...all.matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)].map(([, text]) => text.replaceAll(/\\(.)/g, '$1'));
}
