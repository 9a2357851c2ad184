import { createHash } from 'node:crypto';
import type { Clock } from '../../../machinery/clock.ts';
import { TimeSlice } from '../../../machinery/event-loop/yield.ts';
import { type SyncResult, WorkQueue } from '../../../reconcile/work-queue.ts';
import { type APIService, isAvailable, proxyPath } from '../api-service.ts';
import type { APIServices } from '../api-services.ts';
import { type Downloaded, type DownloadRequest, download } from '../proxy/download.ts';
import type { ProxyHandler } from '../proxy/proxy-handler.ts';
import type { ProxyHandlers } from '../proxy/proxy-handlers.ts';
import { decodeDocumentIndex, ownerOf } from './document-index.ts';
import { type SplitDocument, splitDocument } from './split-document.ts';
import { convertToV3 } from './v3-conversion.ts';

/**
 * Milliseconds until the first download from a new or changed server, between two downloads, and the longest delay
 * after failures.
 */
const firstDelay = 1000;
const updateDelay = 60_000;
const maxFailedDelay = 3_600_000;
const timeout = 60_000;
/**
 * The maximum bytes of an index and of a document. All of Kubernetes has 5 MiB without descriptions. (upstream: no
 * limits)
 */
const maxIndexBytes = 512 * 1024;
const maxSpecBytes = 4 * 1024 * 1024;
const user = { name: 'system:aggregator', groups: [] };

/** The Swagger 2.0 document of a server. */
export interface RemoteSpec extends SplitDocument {
  /** Changes with the document. */
  readonly state: string;
  readonly pathPrefix: string;
}

/** The v3 document made from the v2 document of a server without v3 documents. */
export interface ConvertedDocument {
  /** The hash of its bytes, as in upstream's hash parameter. */
  readonly hash: string;
  readonly bytes: Buffer;
}

interface Known {
  /** The URLs of the server's OpenAPI v3 documents by path; undefined if it has none. */
  documents?: ReadonlyMap<string, string> | undefined;
  converted?: ConvertedDocument;
  spec?: RemoteSpec;
  etag: string;
  failures: number;
}

export interface OpenAPIControllerOptions {
  readonly apiServices: APIServices;
  readonly proxies: ProxyHandlers;
  readonly clock: Clock;
  readonly report: (error: unknown) => void;
}

/**
 * Downloads the OpenAPI documents of other servers in the background. A document counts until the server has another
 * one, even while the server is unreachable. (kube-aggregator pkg/controllers/openapi, openapiv3)
 */
export class OpenAPIController {
  readonly #options: OpenAPIControllerOptions;
  readonly #queue: WorkQueue<string>;
  readonly #closing = new AbortController();
  /** By the name of the APIService. */
  readonly #known = new Map<string, Known>();

  constructor(options: OpenAPIControllerOptions) {
    const { apiServices, clock, report } = options;
    this.#options = options;
    this.#queue = new WorkQueue({
      clock,
      report,
      concurrency: 1,
      keyOf: (name) => name,
      work: (name) => this.#sync(name),
    });
    apiServices.follow((name, current) => this.#onChange(name, current));
  }

  /** Returns the URLs of remote v3 documents by path, such as `apis/metrics.k8s.io/v1beta1`. */
  documents(): ReadonlyMap<string, string> {
    const all = new Map<string, string>();
    for (const [name, { documents = [], converted }] of this.#known) {
      for (const [path, url] of documents) if (this.#maySpeakFor(path, name)) all.set(path, url);
      if (converted !== undefined) all.set(documentPath(name), `/openapi/v3/${documentPath(name)}?hash=${converted.hash}`);
    }
    return all;
  }

  /** Returns the converted document of a server without v3 documents. */
  converted(path: string): ConvertedDocument | undefined {
    for (const [name, { converted }] of this.#known) if (documentPath(name) === path) return converted;
    return undefined;
  }

  /** Returns the handler of the server that has the document. */
  handlerOf(path: string): ProxyHandler | undefined {
    for (const [name, { documents }] of this.#known) {
      if (documents?.has(path) && this.#maySpeakFor(path, name)) return this.#options.proxies.get(name);
    }
    return undefined;
  }

  /** Reports whether a server may describe a path. It may not describe group-versions of other APIServices. */
  #maySpeakFor(path: string, name: string): boolean {
    const owner = ownerOf(path);
    return owner === undefined || owner === name || this.#options.apiServices.get(owner) === undefined;
  }

  /** Returns the v2 documents in the order of the priorities of their groups and versions. */
  specs(): RemoteSpec[] {
    return this.#byPriority().flatMap((name) => this.#known.get(name)?.spec ?? []);
  }

  isRemote(group: string, version: string): boolean {
    return this.#options.proxies.has(group, version);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#queue.close();
  }

  /** (kube-aggregator pkg/controllers/openapi/aggregator/priority.go, where versions of a group are sorted by name) */
  #byPriority(): string[] {
    const groups = new Map<string, number>();
    const specs = [...this.#known.keys()].flatMap((name) => {
      const spec = this.#options.apiServices.get(name)?.spec;
      return spec === undefined ? [] : [{ name, group: spec.group ?? '', priority: spec.groupPriorityMinimum }];
    });
    for (const { group, priority } of specs) groups.set(group, Math.max(priority, groups.get(group) ?? 0));
    const rank = (group: string): number => groups.get(group) ?? 0;
    return specs.sort((a, b) => rank(b.group) - rank(a.group) || (a.name < b.name ? -1 : 1)).map(({ name }) => name);
  }

  #onChange(name: string, current: APIService | undefined): void {
    if (current?.spec.service === undefined) {
      this.#known.delete(name);
      return;
    }
    const known = this.#known.get(name);
    if (known === undefined) this.#known.set(name, { etag: '', failures: 0 });
    else if (known.failures === 0) return;
    else known.failures = 0;
    this.#queue.addAfter(name, firstDelay);
  }

  async #sync(name: string): Promise<SyncResult> {
    const known = this.#known.get(name);
    const handler = this.#options.proxies.get(name);
    if (known === undefined || handler === undefined) return 'done';
    try {
      if (!isAvailable(handler.apiService)) throw new Error('service unavailable');
      await this.#updateDocuments(known, handler);
      await this.#updateSpec(name, known, handler);
      known.failures = 0;
      return updateDelay;
    } catch {
      // upstream logs this; clients keep the previous document
      return Math.min(updateDelay * 2 ** known.failures++, maxFailedDelay);
    }
  }

  async #updateDocuments(known: Known, handler: ProxyHandler): Promise<void> {
    const answer = await this.#download(handler, { path: '/openapi/v3', maxBytes: maxIndexBytes });
    if (answer.status === 404) known.documents = undefined;
    else if (answer.status === 200) known.documents = decodeDocumentIndex(JSON.parse(answer.body.toString()));
    else throw new Error(`/openapi/v3 is a ${answer.status}`);
  }

  async #updateSpec(name: string, known: Known, handler: ProxyHandler): Promise<void> {
    const request = { path: '/openapi/v2', accept: 'application/json', maxBytes: maxSpecBytes, etag: known.etag };
    const { status, etag, body } = await this.#download(handler, request);
    if (status === 404) delete known.spec;
    else if (status === 200) {
      const split = await splitDocument(body, new TimeSlice());
      const state = `${name} ${createHash('sha256').update(body).digest('hex')}`;
      known.spec = { ...split, state, pathPrefix: `${proxyPath(name)}/` };
      known.etag = etag;
    } else if (status !== 304 || known.spec === undefined) throw new Error(`/openapi/v2 is a ${status}`);
    if (known.documents !== undefined || known.spec === undefined) delete known.converted;
    else if (status !== 304 || known.converted === undefined) known.converted = await converted(known.spec);
  }

  #download(handler: ProxyHandler, request: Pick<DownloadRequest, 'path' | 'accept' | 'maxBytes' | 'etag'>): Promise<Downloaded> {
    const { clock } = this.#options;
    return download(handler, { ...request, user, timeout, clock, signal: this.#closing.signal });
  }
}

/** Returns the path of an APIService's v3 document. (getGroupVersionStringFromAPIService) */
const documentPath = (name: string): string => proxyPath(name).slice(1);

async function converted(spec: RemoteSpec): Promise<ConvertedDocument> {
  const bytes = await convertToV3(spec, new TimeSlice());
  return { bytes, hash: createHash('sha512').update(bytes).digest('hex').toUpperCase() };
}
