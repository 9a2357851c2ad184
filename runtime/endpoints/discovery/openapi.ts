import { createHash, type Hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type EndpointRestrictions, type MediaTypeOffer, negotiate } from '../../codec/media-type.ts';
import type { ApiContext } from '../../http/context.ts';
import { queryValue } from '../../http/query-string.ts';
import { sendBytes } from '../../http/respond.ts';
import { respondEmpty, serveContent } from '../../http/serve-content.ts';
import type { GroupVersionCatalog, OpenApiMembers, OpenApiPart } from '../../machinery/catalog.ts';
import { TimeSlice } from '../../machinery/event-loop/yield.ts';
import type { OpenApiAggregation } from './aggregation.ts';
import { readDocument, sectionOf } from './openapi-file.ts';
import { joinV3, jsonMembers } from './openapi-join.ts';
import { mergeSpecs } from './openapi-merge.ts';
import { OpenApiV2Encoder } from './openapi-protobuf.ts';
import { type DocumentHead, type RootOperation, rootDocuments, rootMembers, rootOperations } from './openapi-roots.ts';
import { joinV2, type V2Document, writeV2 } from './openapi-v2.ts';
import { encodeOpenApiV3 } from './openapi-v3-protobuf.ts';
import { byGroup, type DiscoverySource } from './source.ts';

const v2Protobuf = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
const v2OlderProtobuf = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
const v3Protobuf = 'application/com.github.proto-openapi.spec.v3.v1.0+protobuf';
const v3OlderProtobuf = 'application/com.github.proto-openapi.spec.v3@v1.0+protobuf';
/** The Cache-Control of a document whose URL contains its hash. (kube-openapi pkg/handler3/handler.go) */
const forever = 'public, immutable';

const offers = (...names: readonly string[]): readonly MediaTypeOffer[] => names.map((mediaType) => ({ mediaType, streams: true }));
const v2Offers = offers('application/json', v2OlderProtobuf, v2Protobuf);
const v3Offers = offers('application/json', v3Protobuf, v3OlderProtobuf);
/** Ignores the parameters of media types. */
const anyParameters: EndpointRestrictions = { allowsTransform: () => true, allowsStream: () => true };

/** Serves the OpenAPI documents, which are read on demand and cached as bytes. */
export class OpenApiDocuments {
  readonly #source: DiscoverySource;
  readonly #aggregation: OpenApiAggregation | undefined;
  readonly #encoder = new OpenApiV2Encoder();
  readonly #files = new Map<string, Promise<Document>>();
  readonly #states = new Map<string, { readonly state: string; readonly document: Promise<Document> }>();

  #knownHead: Promise<DocumentHead> | undefined;
  /** The documents outside of the group-versions. */
  #roots: Promise<ReadonlyMap<string, Document>> | undefined;

  constructor(source: DiscoverySource, aggregation?: OpenApiAggregation) {
    this.#source = source;
    this.#aggregation = aggregation;
  }

  /** Responds to /openapi/v3 with the URLs of all documents. */
  async index(ctx: ApiContext): Promise<void> {
    const urls = new Map(this.#aggregation?.documents());
    const setLocal = (path: string, hash: string): unknown => urls.set(path, `/openapi/v3/${path}?hash=${hash}`);
    for (const [path, { etag }] of await this.#rootDocuments()) setLocal(path, unquoted(etag));
    for (const groupVersion of this.#localGroupVersions()) {
      const hash = documentHash(groupVersion);
      if (hash !== undefined) setLocal(documentPath(groupVersion), hash);
    }
    const paths = Object.fromEntries(
      [...urls].sort(([a], [b]) => (a < b ? -1 : 1)).map(([path, serverRelativeURL]) => [path, { serverRelativeURL }]),
    );
    const bytes = Buffer.from(JSON.stringify({ paths }));
    if (this.#aggregation === undefined) await respondDocument(ctx, await document(bytes));
    // the aggregator sets neither, so that Go guesses the type (kube-aggregator pkg/controllers/openapiv3 handleDiscovery)
    else await serveContent(ctx, { bytes, contentType: 'text/plain; charset=utf-8', modifiedAt: ctx.state.receivedAt });
  }

  /** Responds to /openapi/v3/apis/apps/v1?hash=... Returns false if there is no such document. */
  async v3(ctx: ApiContext, path: string): Promise<boolean> {
    const root = (await this.#rootDocuments()).get(path);
    if (root !== undefined) return this.#respondV3(ctx, path, unquoted(root.etag), async () => root);
    const found = this.#localGroupVersions().find((one) => documentPath(one) === path);
    const hash = found && documentHash(found);
    if (found === undefined || hash === undefined) return this.#passOn(ctx, path);
    return this.#respondV3(ctx, path, hash, () => this.#documentOf(found, hash));
  }

  async #passOn(ctx: ApiContext, path: string): Promise<boolean> {
    const converted = this.#aggregation?.converted(path);
    if (converted !== undefined) {
      const { bytes, hash } = converted;
      return this.#respondV3(ctx, path, hash, async () => ({ bytes, etag: `"${hash}"` }));
    }
    const handler = this.#aggregation?.handlerOf(path);
    await handler?.handle(ctx);
    return handler !== undefined;
  }

  /** Returns the group-versions of this server that no other server has taken over. */
  #localGroupVersions(): readonly GroupVersionCatalog[] {
    const all = this.#source.groupVersions();
    const aggregation = this.#aggregation;
    return aggregation === undefined ? all : all.filter(({ group, version }) => !aggregation.isRemote(group, version));
  }

  #rootDocuments(): Promise<ReadonlyMap<string, Document>> {
    if (this.#roots === undefined) {
      this.#roots = this.#makeRoots();
      this.#roots.catch(() => {
        this.#roots = undefined;
      });
    }
    return this.#roots;
  }

  async #makeRoots(): Promise<ReadonlyMap<string, Document>> {
    const documents = rootDocuments(this.#rootOperations(), await this.#head());
    return new Map(
      await Promise.all([...documents].map(async ([path, one]) => [path, await document(Buffer.from(JSON.stringify(one)))] as const)),
    );
  }

  #rootOperations(): RootOperation[] {
    return rootOperations([...byGroup(this.#source).keys()].filter((group) => this.#source.isStatic(group)));
  }

  #head(): Promise<DocumentHead> {
    const [file] = this.#documentFiles();
    this.#knownHead ??= file === undefined ? Promise.resolve(emptyHead) : headOf(file);
    this.#knownHead.catch(() => {
      this.#knownHead = undefined;
    });
    return this.#knownHead;
  }

  /** The files of the v3 documents of all catalogs. */
  #documentFiles(): string[] {
    return this.#source.groupVersions().flatMap((one) => one.openapi?.file ?? one.schemasFile ?? []);
  }

  /** @param read makes the document on demand */
  async #respondV3(ctx: ApiContext, path: string, hash: string, read: () => Promise<Document>): Promise<boolean> {
    const mediaType = negotiateDocument(ctx, v3Offers);
    if (mediaType === undefined) return true;
    const requestedHash = queryValue(ctx.state.query, 'hash');
    if (requestedHash && requestedHash !== hash) {
      ctx.res.setHeader('Location', `/openapi/v3/${path}?hash=${hash}`);
      ctx.res.setHeader('ETag', `"${hash}"`);
      sendBytes(ctx, 301, mediaType === 'application/json' ? mediaType : v3Protobuf, Buffer.alloc(0));
      return true;
    }
    if (requestedHash) {
      ctx.res.setHeader('Cache-Control', forever);
      ctx.res.setHeader('Expires', new Date(ctx.state.receivedAt + 365 * 24 * 3600 * 1000).toUTCString().replace('GMT', 'UTC'));
    }
    const json = await read();
    if (mediaType === 'application/json') {
      await respondDocument(ctx, json);
    } else {
      const encode = (slice: TimeSlice): Promise<Buffer> => encodeOpenApiV3(json.bytes, slice);
      const { bytes } = await this.#make(`${path} as protobuf`, hash, encode);
      await respondDocument(ctx, { bytes, etag: json.etag, sentAt: json.sentAt ?? ctx.state.receivedAt }, v3Protobuf);
    }
    return true;
  }

  /** Caches the latest state of a document that can change. */
  async #documentOf(groupVersion: GroupVersionCatalog, hash: string): Promise<Document> {
    const { openapi, openapiParts: parts = [] } = groupVersion;
    if (openapi !== undefined && parts.length === 0) return this.#read(openapi.file, readFile);
    return this.#make(documentPath(groupVersion), hash, async (slice) =>
      joinV3(openapi?.file, await membersOf(parts, 'v3', slice), this.#documentFiles(), slice),
    );
  }

  /** /openapi/v2, as JSON or protobuf. Returns false if there is no such document. */
  async v2(ctx: ApiContext): Promise<boolean> {
    const files = this.#source.openapiV2;
    const parts = this.#source.groupVersions().flatMap((one) => one.openapiParts ?? []);
    if (files.length === 0 && parts.length === 0) return false;
    const specs = this.#aggregation?.specs() ?? [];
    const state = hashOf([...parts, ...specs].map((part) => part.state).join('\n'));
    const joined = async (slice: TimeSlice): Promise<V2Document> => {
      const all = [...(await membersOf(parts, 'v2', slice)), rootMembers(this.#rootOperations())];
      return mergeSpecs(await joinV2(await this.#head(), files, all, slice), specs, slice);
    };
    ctx.res.appendHeader('Vary', 'Accept-Encoding');
    const mediaType = negotiateDocument(ctx, v2Offers);
    if (mediaType === undefined) return true;
    if (mediaType === 'application/json') {
      const write = async (slice: TimeSlice): Promise<Buffer> => writeV2(await joined(slice), slice);
      await respondDocument(ctx, await this.#make('v2', state, write), mediaType, true);
    } else {
      const encode = async (slice: TimeSlice): Promise<Buffer> => this.#encoder.encode(await joined(slice), slice);
      await respondDocument(ctx, await this.#make('v2 as protobuf', state, encode), v2Protobuf, true);
    }
    return true;
  }

  /** Makes a document and caches it until its state changes. */
  #make(key: string, state: string, make: (slice: TimeSlice) => Promise<Buffer>): Promise<Document> {
    const known = this.#states.get(key);
    if (known?.state === state) return known.document;
    const slice = new TimeSlice();
    const made = make(slice).then((bytes) => document(bytes, slice));
    this.#states.set(key, { state, document: made });
    made.catch(() => this.#states.delete(key));
    return made;
  }

  #read(key: string, load: (file: string) => Promise<Buffer>): Promise<Document> {
    let known = this.#files.get(key);
    if (known === undefined) {
      known = load(key).then((bytes) => document(bytes));
      known.catch(() => this.#files.delete(key));
      this.#files.set(key, known);
    }
    return known;
  }
}

/** @param compresses see serveContent */
function respondDocument(ctx: ApiContext, document: Document, contentType = 'application/json', compresses = false): Promise<void> {
  const { bytes, etag } = document;
  document.sentAt ??= ctx.state.receivedAt;
  return serveContent(ctx, { bytes, etag, contentType, modifiedAt: document.sentAt }, compresses);
}

/** Returns a media type. Responds with 406, as upstream without a body, and returns undefined if none is acceptable. */
function negotiateDocument(ctx: ApiContext, offered: readonly MediaTypeOffer[]): string | undefined {
  const chosen = negotiate(ctx.req.headers.accept, offered, anyParameters);
  ctx.res.appendHeader('Vary', 'Accept');
  if (chosen !== undefined) return chosen.mediaType;
  ctx.res.setHeader('Content-Length', 0);
  respondEmpty(ctx, 406);
  return undefined;
}

const emptyHead: DocumentHead = {
  openapi: '3.0.0',
  info: { title: 'Kubernetes', version: 'unversioned' },
  securitySchemes: {},
};

async function headOf(file: string): Promise<DocumentHead> {
  const document = await readDocument(file, new TimeSlice());
  const { openapi, info } = JSON.parse(`{${jsonMembers(sectionOf(document, ''))}}`);
  return {
    openapi,
    info,
    securitySchemes: JSON.parse(sectionOf(document, 'components').get('securitySchemes') ?? '{}'),
  };
}

interface Document {
  readonly bytes: Buffer;
  readonly etag: string;
  /** When it was first sent, in milliseconds. */
  sentAt?: number;
}

/** The number of bytes that are hashed at once. */
const hashedAtOnce = 256 * 1024;

async function document(bytes: Buffer, slice = new TimeSlice()): Promise<Document> {
  const hash = createHash('sha512');
  for (let at = 0; at < bytes.length; at += hashedAtOnce) {
    hash.update(bytes.subarray(at, at + hashedAtOnce));
    if (slice.isOver) await slice.next();
  }
  return { bytes, etag: quoted(hash) };
}

async function membersOf(parts: readonly OpenApiPart[], version: 'v2' | 'v3', slice: TimeSlice): Promise<OpenApiMembers[]> {
  const members: OpenApiMembers[] = [];
  for (const part of parts) {
    members.push(await part[version]());
    if (slice.isOver) await slice.next();
  }
  return members;
}

/** Returns a strong validator as upstream does: the quoted SHA-512 in upper-case hex. */
export function etagOf(bytes: Uint8Array): string {
  return quoted(createHash('sha512').update(bytes));
}

const unquoted = (etag: string): string => etag.slice(1, -1);

const quoted = (hash: Hash): string => `"${hash.digest('hex').toUpperCase()}"`;

function hashOf(data: Uint8Array | string): string {
  return createHash('sha512').update(data).digest('hex').toUpperCase();
}

const hashes = new WeakMap<readonly OpenApiPart[], string>();

/** Returns the hash of a document. Returns undefined if there is no document. */
function documentHash({ openapi, openapiParts: parts = [] }: GroupVersionCatalog): string | undefined {
  if (parts.length === 0) return openapi?.hash;
  let hash = hashes.get(parts);
  if (hash === undefined) {
    hash = hashOf([openapi?.hash ?? '', ...parts.map((part) => part.state)].join('\n'));
    hashes.set(parts, hash);
  }
  return hash;
}

function documentPath({ group, version }: GroupVersionCatalog): string {
  return group === '' ? `api/${version}` : `apis/${group}/${version}`;
}
