import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServerOptions } from '../../runtime/index.ts';
import { type RunningServer, startServer } from '../../runtime/index.ts';
import { type Answer, HttpClient } from './http-client.ts';
import { WatchStream } from './watch-stream.ts';

export const storages = ['memory', 'lmdb'] as const;
let namespaces = 0;

/** A server with config maps in it, for tests of reads. */
export class ObjectDesk {
  readonly server: RunningServer;
  readonly client: HttpClient;
  readonly #folder: string;

  private constructor(server: RunningServer, folder: string) {
    this.server = server;
    this.client = HttpClient.for(server);
    this.#folder = folder;
  }

  static async open(storage: (typeof storages)[number], options: ServerOptions = {}): Promise<ObjectDesk> {
    const folder = storage === 'lmdb' ? await mkdtemp(join(tmpdir(), 'reads-')) : '';
    const place = storage === 'lmdb' ? { dataDir: folder, unsafeNoFsync: true } : {};
    return new ObjectDesk(await startServer({ ...options, storage, ...place }), folder);
  }

  async close(): Promise<void> {
    this.client.close();
    await this.server.close();
    if (this.#folder !== '') await rm(this.#folder, { recursive: true, force: true });
  }

  /** The path of a resource in a namespace of its own. */
  async fresh(path = '/api/v1', resource = 'configmaps'): Promise<string> {
    const name = `ns${namespaces++}`;
    const body = JSON.stringify({ metadata: { name } });
    const made = await this.client.send('POST', '/api/v1/namespaces', body, 'application/json');
    if (made.status !== 201) throw new Error(made.body.toString());
    return `${path}/namespaces/${name}/${resource}`;
  }

  /** Creates, or replaces; gives the resourceVersion. */
  async put(path: string, name: string, rest: object = {}, labels: Record<string, string> = {}): Promise<string> {
    const body = JSON.stringify({ metadata: { name, labels }, ...rest });
    let answer = await this.client.send('POST', path, body, 'application/json');
    if (answer.status === 409) answer = await this.client.send('PUT', `${path}/${name}`, body, 'application/json');
    if (answer.status > 201) throw new Error(answer.body.toString());
    return answer.json.metadata.resourceVersion;
  }

  /** Gives the store's revision afterwards. */
  async remove(path: string, name: string): Promise<string> {
    const answer = await this.client.send('DELETE', `${path}/${name}`);
    if (answer.status !== 200) throw new Error(answer.body.toString());
    return String(this.server.revision());
  }

  get(path: string, query: Query = {}, accept?: string): Promise<Answer> {
    return this.client.get(withQuery(path, query), accept === undefined ? {} : { headers: { accept } });
  }

  watch(path: string, query: Query = {}, headers?: Record<string, string>): Promise<WatchStream> {
    return WatchStream.open(this.server, withQuery(path, { watch: '1', ...query }), headers);
  }
}

export type Query = Readonly<Record<string, string | number>>;

export function withQuery(path: string, query: Query): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) parameters.set(name, String(value));
  return parameters.size === 0 ? path : `${path}?${parameters}`;
}

/** Names of the items of a list. */
export const namesOf = ({ json }: Answer): string[] =>
  json.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);
