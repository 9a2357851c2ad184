import { encodeJson } from '../../codec/json.ts';
import { type EndpointRestrictions, type MediaType, negotiate } from '../../codec/media-type.ts';
import { encodeEnvelope } from '../../codec/protobuf.ts';
import type { ApiContext, ApiMiddleware, Next } from '../../http/context.ts';
import { mediaTypes, negotiateOutput, standardMediaTypes, supportedMediaTypes } from '../../http/negotiation.ts';
import { encodeObject, respondBytes } from '../../http/respond.ts';
import { setRecordedHeaders } from '../../http/response.ts';
import { producedTypes, requireRoute } from '../../http/route.ts';
import { respondEmpty } from '../../http/serve-content.ts';
import { notAcceptable, pathMethodNotAllowed, pathNotFound } from '../../machinery/errors/status.ts';
import type { JsonObject } from '../../machinery/object.ts';
import { encodeMessage } from '../encodings/protobuf.ts';
import { type AggregatedVersion, apiGroupDiscoveryList } from './aggregated.ts';
import { encodeGroupDiscoveryList } from './aggregated-protobuf.ts';
import type { DiscoveryAggregation, DiscoveryGroup, OpenApiAggregation } from './aggregation.ts';
import { etagOf, OpenApiDocuments } from './openapi.ts';
import { byGroup, type DiscoverySource } from './source.ts';
import { apiGroup, apiGroupList, apiResourceList, apiVersions } from './unaggregated.ts';

export interface DiscoveryOptions {
  readonly source: DiscoverySource;
  /** Absent if no groups of other servers are served. */
  readonly aggregation?: DiscoveryAggregation | undefined;
  readonly openApiAggregation?: OpenApiAggregation | undefined;
  /** The host:port that /api returns to clients. */
  readonly serverAddress: () => string;
  /** The versions of the aggregated form. v1.35 has no v2beta1, see AggregatedDiscoveryRemoveBetaType. */
  readonly aggregatedVersions: readonly AggregatedVersion[];
}

/** Any clause of Accept that asks for the aggregated form wins over all others. (discovery/aggregated/wrapper.go) */
const onlyAggregated = (versions: readonly string[]): EndpointRestrictions => ({
  allowsTransform: (_mediaType, target) =>
    target?.group === 'apidiscovery.k8s.io' && versions.includes(target.version) && target.kind === 'APIGroupDiscoveryList',
});

/** Handles /openapi, and the paths of /api and /apis that are no resources. Passes all other paths on. */
export function createDiscoveryHandler(options: DiscoveryOptions): ApiMiddleware {
  const handler = new DiscoveryHandler(options);
  return (ctx, next) => handler.handle(ctx, next);
}

interface DiscoveryResponse {
  readonly object: JsonObject;
  /** Makes the aggregated response. Only the two roots have one. */
  readonly aggregated?: (version: AggregatedVersion) => JsonObject;
  /** Only the lists of built-in resources have the media types of the resources. */
  readonly hasCbor?: boolean;
}

class DiscoveryHandler {
  readonly #source: DiscoverySource;
  readonly #aggregation: DiscoveryAggregation;
  readonly #serverAddress: () => string;
  readonly #openapi: OpenApiDocuments;
  readonly #onlyAggregated: EndpointRestrictions;

  constructor({ source, aggregation, openApiAggregation, serverAddress, aggregatedVersions }: DiscoveryOptions) {
    this.#onlyAggregated = onlyAggregated(aggregatedVersions);
    this.#source = source;
    this.#aggregation = aggregation ?? noAggregation(source);
    this.#serverAddress = serverAddress;
    this.#openapi = new OpenApiDocuments(source, openApiAggregation);
  }

  async handle(ctx: ApiContext, next: Next): Promise<void> {
    const { path } = ctx.state.requestInfo;
    const parts = segments(path);
    if (parts[0] === 'openapi') {
      if (await this.#handleOpenApi(ctx, parts)) return;
    } else if ((parts[0] === 'api' && parts.length <= 2) || (parts[0] === 'apis' && parts.length <= 3)) {
      const response = this.#discover(parts);
      if (response !== undefined) {
        if (this.#isRouted(parts)) requireGet(ctx, response);
        // /apis/ is never aggregated (kube-aggregator pkg/apiserver/apiserver.go)
        await this.#respond(ctx, path === '/apis/' ? { object: response.object } : response);
        return;
      }
    }
    if (this.#hasRoutes(path)) throw pathNotFound();
    await next();
  }

  /** Returns true for paths of static groups, on which only the API may respond. (director.ServeHTTP) */
  #hasRoutes(path: string): boolean {
    const [before, root, group = ''] = path.split('/', 3);
    return before === '' && (root === 'api' || (root === 'apis' && group !== '' && this.#source.isStatic(group)));
  }

  /** Returns true for paths that exist for GET only. The others accept every method. */
  #isRouted([root, group = '', version]: readonly string[]): boolean {
    return root === 'api' || (version !== undefined && this.#source.isStatic(group));
  }

  #discover([root, ...rest]: readonly string[]): DiscoveryResponse | undefined {
    if (rest.length === 0) return root === 'api' ? this.#legacyRoot() : this.#root();
    const [group, version] = root === 'api' ? ['', rest[0]] : rest;
    if (version === undefined) {
      const found = this.#aggregation.apiGroup(group) ?? servedGroup(this.#source, group);
      return found && { object: apiGroup(found) };
    }
    const groupVersion = byGroup(this.#source)
      .get(group)
      ?.find((one) => one.version === version);
    return groupVersion && { object: apiResourceList(groupVersion), hasCbor: this.#source.isStatic(group) };
  }

  #legacyRoot(): DiscoveryResponse {
    const versions = byGroup(this.#source).get('') ?? [];
    const groups = versions.length === 0 ? [] : [{ name: '', versions }];
    return {
      object: apiVersions(versions, this.#serverAddress()),
      aggregated: (at) => apiGroupDiscoveryList(groups, at),
    };
  }

  #root(): DiscoveryResponse {
    return {
      object: apiGroupList(this.#aggregation.apiGroups()),
      aggregated: (at) => apiGroupDiscoveryList(this.#aggregation.groupDiscovery(this.#source.groupVersions()), at),
    };
  }

  async #respond(ctx: ApiContext, { object, aggregated, hasCbor }: DiscoveryResponse): Promise<void> {
    const supported = hasCbor ? supportedMediaTypes(ctx) : standardMediaTypes;
    const asksForAggregated = aggregated && negotiate(ctx.req.headers.accept, supported, this.#onlyAggregated)?.convert;
    const chosen = negotiateOutput(ctx, supported, asksForAggregated ? this.#onlyAggregated : undefined);
    const { mediaType, convert } = chosen;
    const version = convert?.version as AggregatedVersion | undefined;
    const document = version && aggregated ? aggregated(version) : object;
    const bytes = await this.#encode(document, chosen);
    const contentType = convert ? `${mediaType};g=${convert.group};v=${version};as=${convert.kind}` : mediaType;
    if (convert) {
      const etag = etagOf(bytes);
      ctx.res.appendHeader('Vary', 'Accept');
      ctx.res.setHeader('ETag', etag);
      ctx.res.setHeader('Cache-Control', 'public');
      if (ctx.req.headers['if-none-match'] === etag) return respondEmpty(ctx, 304);
    }
    if (ctx.state.audit?.logsResponse) ctx.state.audit.logResponseObject([encodeJson(document)]);
    await respondBytes(ctx, 200, contentType, bytes);
  }

  async #encode(object: JsonObject, { mediaType, pretty }: MediaType): Promise<Uint8Array> {
    if (mediaType !== mediaTypes.protobuf) return encodeObject(object, { mediaType, pretty });
    const kind = String(object.kind);
    const types = await this.#source.loadMeta();
    if (kind === 'APIGroupDiscoveryList' && types.PartialObjectMetadata?.protobuf !== undefined) {
      const message = encodeGroupDiscoveryList(object.items as never, types.PartialObjectMetadata);
      return encodeEnvelope(String(object.apiVersion), kind, message);
    }
    const type = types[kind];
    if (type?.protobuf === undefined) throw notAcceptable([mediaTypes.json, mediaTypes.yaml]);
    return encodeEnvelope('v1', kind, encodeMessage(type, object));
  }

  /** Returns false if there is no such document. */
  async #handleOpenApi(ctx: ApiContext, [, version, ...rest]: readonly string[]): Promise<boolean> {
    if (version === 'v2' && rest.length === 0) return this.#openapi.v2(ctx);
    if (version !== 'v3') return false;
    if (rest.length > 0) {
      if (!(await this.#openapi.v3(ctx, rest.join('/')))) respondAbsent(ctx);
      return true;
    }
    await this.#openapi.index(ctx);
    return true;
  }
}

/** Responds to the path of a document that does not exist, as upstream without a body. */
function respondAbsent(ctx: ApiContext): void {
  setRecordedHeaders(ctx);
  ctx.res.setHeader('Content-Length', 0);
  ctx.res.writeHead(404).end();
}

/** What the router checks. */
function requireGet(ctx: ApiContext, { hasCbor }: DiscoveryResponse): void {
  if (ctx.method !== 'GET') throw pathMethodNotAllowed();
  const { object } = producedTypes(hasCbor ? supportedMediaTypes(ctx) : standardMediaTypes);
  requireRoute(ctx, { produces: object, consumes: object });
}

/** Splits a path that begins with one slash. Trailing slashes do not count. */
const segments = (path: string): readonly string[] => path.slice(1).replace(/\/+$/, '').split('/');

/** The groups of this server alone. */
function noAggregation(source: DiscoverySource): DiscoveryAggregation {
  const groups = (): string[] => [...byGroup(source).keys()].filter((name) => name !== '');
  return {
    apiGroups: () => groups().flatMap((name) => servedGroup(source, name) ?? []),
    apiGroup: () => undefined,
    groupDiscovery: () => groups().map((name) => ({ name, versions: byGroup(source).get(name) ?? [] })),
  };
}

function servedGroup(source: DiscoverySource, name: string): DiscoveryGroup | undefined {
  const versions = byGroup(source).get(name);
  return versions && { name, versions: versions.map(({ version }) => version) };
}
