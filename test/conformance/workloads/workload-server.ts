import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { RunningServer, ServerOptions } from '../../../runtime/index.ts';
import type { SimulationOptions } from '../../../runtime/options/simulated-cluster.ts';
import { TestServer } from '../../support/test-server.ts';
import { WatchStream } from '../../support/watch-stream.ts';

// biome-ignore lint/suspicious/noExplicitAny: objects of many kinds
export type Any = any;

let namespaces = 0;

/** A server with a simulated cluster for the tests of a file, over HTTP. */
export class WorkloadServer {
  readonly #suite: TestServer;

  /** @param simulation options besides the two nodes */
  constructor(simulation: SimulationOptions = {}, options: ServerOptions = {}) {
    this.#suite = TestServer.forSuite({ simulate: { nodes: 2, ...simulation }, ...options });
  }

  get running(): RunningServer {
    return this.#suite.server;
  }

  /** Creates a namespace. Returns the path of a resource in it: `apis/apps/v1/deployments`. */
  async namespace(): Promise<(resource: string, name?: string) => string> {
    const name = `workloads-${namespaces++}`;
    await this.post('/api/v1/namespaces', { metadata: { name } });
    return (resource, object) => {
      const at = resource.lastIndexOf('/');
      const path = `/${resource.slice(0, at)}/namespaces/${name}${resource.slice(at)}`;
      return object === undefined ? path : `${path}/${object}`;
    };
  }

  /** Returns the response at any path. */
  async text(path: string): Promise<{ readonly status: number; readonly body: string }> {
    const { status, body } = await this.#suite.http.send('GET', path);
    return { status, body: String(body) };
  }

  /** Returns all messages from the server over a WebSocket. */
  async messages(path: string, protocol: string): Promise<Buffer[]> {
    const { url, clientCertificate: cert, clientKey: key, caCertificate: ca } = this.#suite.server;
    const socket = new WebSocket(url.replace('https', 'wss') + path, protocol, { ca, cert, key });
    const messages: Buffer[] = [];
    socket.on('message', (data: Buffer) => messages.push(data));
    await once(socket, 'close');
    return messages;
  }

  get = (path: string): Promise<Any> => this.#send('GET', path);
  post = (path: string, object: object): Promise<Any> => this.#send('POST', path, object, 'application/json');
  put = (path: string, object: object): Promise<Any> => this.#send('PUT', path, object, 'application/json');
  /** @param kind the type of the patch */
  patch = (path: string, patch: object, kind = 'merge'): Promise<Any> => this.#send('PATCH', path, patch, `application/${kind}-patch+json`);
  delete = (path: string, options: object = {}): Promise<Any> => this.#send('DELETE', path, options, 'application/json');

  async #send(method: string, path: string, body?: object, type?: string): Promise<Any> {
    const { status, json, body: text } = await this.#suite.http.send(method, path, body && JSON.stringify(body), type);
    if (status > 202) throw new Error(`${method} ${path}: ${status} ${text}`);
    return json;
  }

  /**
   * Resolves with the objects of a list when they are as expected.
   *
   * @param query for example `?labelSelector=app%3Dweb`
   */
  async untilAll(path: string, holds: (objects: Any[]) => boolean, query = ''): Promise<Any[]> {
    const { items, metadata } = await this.get(path + query);
    const known = new Map<string, Any>(items.map((one: Any) => [one.metadata.name, one]));
    if (holds([...known.values()])) return [...known.values()];
    const parameters = `${query === '' ? '?' : `${query}&`}watch=true&resourceVersion=${metadata.resourceVersion}`;
    const watch = await WatchStream.open(this.#suite.server, path + parameters);
    try {
      for (;;) {
        const event = await watch.next();
        if (event === undefined) throw new Error(`the watch of ${path} has ended`);
        const { name } = event.object.metadata;
        if (event.type === 'DELETED') known.delete(name);
        else known.set(name, event.object);
        if (holds([...known.values()])) return [...known.values()];
      }
    } finally {
      watch.close();
    }
  }

  /** Resolves with one object when it is as expected. An absent object is undefined. */
  async until(path: string, holds: (object: Any) => boolean): Promise<Any> {
    const at = path.lastIndexOf('/');
    const query = `?fieldSelector=metadata.name%3D${path.slice(at + 1)}`;
    const [object] = await this.untilAll(path.slice(0, at), ([one]) => holds(one), query);
    return object;
  }

  /** Opens a watch for later changes of a list. */
  async watch(path: string, query = ''): Promise<WatchStream> {
    const { metadata } = await this.get(path + query);
    const parameters = `${query === '' ? '?' : `${query}&`}watch=true&resourceVersion=${metadata.resourceVersion}`;
    return WatchStream.open(this.#suite.server, path + parameters);
  }
}

export const conditionOf = ({ status }: Any, type: string): Any => status?.conditions?.find((condition: Any) => condition.type === type);

/** (DeploymentComplete) */
export const isComplete = ({ metadata, spec, status }: Any): boolean =>
  ['replicas', 'updatedReplicas', 'availableReplicas'].every((count) => (status?.[count] ?? 0) === spec.replicas) &&
  status?.observedGeneration >= metadata.generation;
