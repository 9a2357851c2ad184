import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { negotiate } from '../../codec/media-type.ts';
import { firstOf } from '../../http/query-string.ts';
import { respondBytes, sendBytes } from '../../http/respond.ts';
import type { ApiContext } from '../../http/state.ts';
import type { GroupVersionCatalog } from '../../machinery/catalog.ts';
import { notAcceptable } from '../../machinery/status.ts';
import { encodeOpenApiV2 } from './openapi-protobuf.ts';
import type { DiscoverySource } from './source.ts';

const v2Protobuf = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
const v2OlderProtobuf = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
const v2Offers = ['application/json', v2Protobuf, v2OlderProtobuf].map((mediaType) => ({ mediaType, streams: false }));
/** A document named by its hash never changes. (kube-openapi pkg/handler3/handler.go) */
const forever = 'public, immutable, max-age=31536000';

/** The OpenAPI documents: read from disk when first asked for, and kept as bytes. */
export class OpenApiDocuments {
  readonly #source: DiscoverySource;
  readonly #files = new Map<string, Promise<Document>>();

  constructor(source: DiscoverySource) {
    this.#source = source;
  }

  /** /openapi/v3: where each group-version's document is. */
  async index(ctx: ApiContext): Promise<void> {
    const paths: Record<string, { serverRelativeURL: string }> = {};
    for (const groupVersion of this.#source.groupVersions()) {
      if (groupVersion.openapi === undefined) continue;
      const path = documentPath(groupVersion);
      paths[path] = { serverRelativeURL: `/openapi/v3/${path}?hash=${groupVersion.openapi.hash}` };
    }
    await this.#answer(ctx, document(Buffer.from(`${JSON.stringify({ paths })}\n`)));
  }

  /** /openapi/v3/apis/apps/v1?hash=... False when there is no such document. */
  async groupVersion(ctx: ApiContext, path: string): Promise<boolean> {
    const found = this.#source.groupVersions().find((one) => one.openapi !== undefined && documentPath(one) === path);
    if (found?.openapi === undefined) return false;
    const { file, hash } = found.openapi;
    const asked = firstOf(ctx.state.query, 'hash');
    if (asked && asked !== hash) {
      ctx.res.setHeader('Location', `/openapi/v3/${path}?hash=${hash}`);
      sendBytes(ctx, 301, 'text/html; charset=utf-8', Buffer.alloc(0));
      return true;
    }
    if (asked) {
      ctx.res.setHeader('Cache-Control', forever);
      ctx.res.setHeader('Expires', new Date(ctx.state.receivedAt + 365 * 24 * 3600 * 1000).toUTCString());
    }
    await this.#answer(ctx, await this.#read(file, readFile));
    return true;
  }

  /** /openapi/v2, as JSON or in the protobuf form. False when there is no such document. */
  async v2(ctx: ApiContext): Promise<boolean> {
    const files = this.#source.openapiV2;
    if (files.length === 0) return false;
    const chosen = negotiate(ctx.req.headers.accept, v2Offers);
    if (chosen === undefined) throw notAcceptable(v2Offers.map(({ mediaType }) => mediaType));
    if (chosen.mediaType === 'application/json') {
      await this.#answer(ctx, await this.#read(files.join(), () => joinedV2(files)));
    } else {
      const encode = async (): Promise<Buffer> =>
        Buffer.from(encodeOpenApiV2(JSON.parse((await joinedV2(files)).toString())));
      const held = await this.#read(`${files.join()} as protobuf`, encode);
      await this.#answer(ctx, held, v2Protobuf);
    }
    return true;
  }

  #read(key: string, load: (file: string) => Promise<Buffer>): Promise<Document> {
    let held = this.#files.get(key);
    if (held === undefined) {
      held = load(key).then(document);
      held.catch(() => this.#files.delete(key));
      this.#files.set(key, held);
    }
    return held;
  }

  async #answer(ctx: ApiContext, { bytes, etag }: Document, mediaType = 'application/json'): Promise<void> {
    ctx.res.setHeader('ETag', etag);
    ctx.res.appendHeader('Vary', 'Accept');
    if (matches(ctx, etag)) sendBytes(ctx, 304, mediaType, Buffer.alloc(0));
    else await respondBytes(ctx, 200, mediaType, bytes);
  }
}

/** The v2 documents of all catalogs as one; what the first has, it keeps. */
async function joinedV2([first, ...others]: readonly string[]): Promise<Buffer> {
  const bytes = await readFile(first);
  if (others.length === 0) return bytes;
  const joined = JSON.parse(bytes.toString()) as Record<string, object>;
  for (const file of others) {
    const document = JSON.parse(await readFile(file, 'utf8')) as Record<string, object>;
    for (const part of ['paths', 'definitions']) joined[part] = { ...document[part], ...joined[part] };
  }
  return Buffer.from(JSON.stringify(joined));
}

interface Document {
  readonly bytes: Buffer;
  readonly etag: string;
}

function document(bytes: Buffer): Document {
  return { bytes, etag: etagOf(bytes) };
}

/** A strong validator: the SHA-512 in upper-case hex, quoted, as upstream's. */
export function etagOf(bytes: Uint8Array): string {
  return `"${createHash('sha512').update(bytes).digest('hex').toUpperCase()}"`;
}

export function matches(ctx: ApiContext, etag: string): boolean {
  const header = ctx.req.headers['if-none-match'];
  return header?.split(',').some((one) => one.trim() === etag) ?? false;
}

function documentPath({ group, version }: GroupVersionCatalog): string {
  return group === '' ? `api/${version}` : `apis/${group}/${version}`;
}
