import { BinaryWriter } from '@bufbuild/protobuf/wire';
import type { EndpointRestrictions, MediaType } from '../../codec/media-type.ts';
import { encodeEnvelope } from '../../codec/protobuf.ts';
import type { ApiContext, ApiMiddleware } from '../../http/context.ts';
import { mediaTypes, negotiateOutput, offersFor, standardOffers } from '../../http/negotiation.ts';
import { encodeObject, respondBytes, sendBytes } from '../../http/respond.ts';
import { notAcceptable, pathMethodNotAllowed, pathNotFound } from '../../machinery/errors/status.ts';
import type { JsonObject, KubeObject } from '../../machinery/object.ts';
import { type AggregatedVersion, apiGroupDiscoveryList } from './aggregated.ts';
import { apiGroup, apiGroupList, apiResourceList, apiVersions } from './lists.ts';
import { etagOf, matches, OpenApiDocuments } from './openapi.ts';
import { byGroup, type DiscoverySource } from './source.ts';

export interface DiscoveryOptions {
  readonly source: DiscoverySource;
  /** host:port that /api names to its clients. */
  readonly serverAddress: () => string;
}

const aggregated: EndpointRestrictions = {
  allowsTransform: (mediaType, target) =>
    target === undefined ||
    (mediaType !== mediaTypes.protobuf &&
      target.group === 'apidiscovery.k8s.io' &&
      (target.version === 'v2' || target.version === 'v2beta1') &&
      target.kind === 'APIGroupDiscoveryList'),
};

/** /api, /apis and below them what is not a resource, and /openapi. Calls the next middleware for everything else. */
export function createDiscovery({ source, serverAddress }: DiscoveryOptions): ApiMiddleware {
  const openapi = new OpenApiDocuments(source);
  return async (ctx, next) => {
    const { path } = ctx.state.requestInfo;
    const parts = segments(path);
    if (parts[0] === 'openapi') {
      if (await answerOpenApi(ctx, openapi, parts)) return;
    } else if ((parts[0] === 'api' && parts.length <= 2) || (parts[0] === 'apis' && parts.length <= 3)) {
      const answer = discover(source, parts, serverAddress);
      if (answer !== undefined) {
        if (isRouted(source, parts) && ctx.method !== 'GET') throw pathMethodNotAllowed();
        await send(ctx, source, answer);
        return;
      }
    }
    if (hasRoutes(source, path)) throw pathNotFound();
    await next();
  };
}

/** Below the roots of groups that last a path is a route or an error of the API; elsewhere it may be nobody's. (director.ServeHTTP) */
function hasRoutes(source: DiscoverySource, path: string): boolean {
  const [before, root, group = ''] = path.split('/', 3);
  return before === '' && (root === 'api' || (root === 'apis' && group !== '' && source.isStatic(group)));
}

/** The others are answered whatever the method is. */
function isRouted(source: DiscoverySource, [root, group, version]: readonly string[]): boolean {
  return root === 'api' || (version !== undefined && source.isStatic(group));
}

/** Of a path that begins with one slash; slashes at its end do not count. */
const segments = (path: string): readonly string[] => path.slice(1).replace(/\/+$/, '').split('/');

interface Answer {
  readonly object: JsonObject;
  /** Present at the two roots, where one answer can hold everything. */
  readonly aggregated?: (version: AggregatedVersion) => JsonObject;
  /** The resources of a group-version come in whatever the resources themselves come in. */
  readonly ofResources?: boolean;
}

function discover(source: DiscoverySource, parts: readonly string[], serverAddress: () => string): Answer | undefined {
  const groups = byGroup(source);
  const [root, ...rest] = parts;
  const [group, version] = root === 'api' ? ['', rest[0]] : rest;
  if (rest.length === 0) {
    const object = root === 'api' ? apiVersions(groups.get('') ?? [], serverAddress()) : apiGroupList(groups);
    return { object, aggregated: (at) => apiGroupDiscoveryList(groups, root as 'api' | 'apis', at) };
  }
  const versions = groups.get(group) ?? [];
  if (version !== undefined) {
    const found = versions.find((one) => one.version === version);
    return found && { object: apiResourceList(found), ofResources: true };
  }
  return versions.length === 0 ? undefined : { object: apiGroup(group, versions) };
}

async function send(ctx: ApiContext, source: DiscoverySource, answer: Answer): Promise<void> {
  const offers = answer.ofResources ? offersFor(ctx) : standardOffers;
  const chosen = negotiateOutput(ctx, offers, answer.aggregated ? aggregated : undefined);
  const { convert } = chosen;
  const version = convert?.version as AggregatedVersion | undefined;
  const object = version && answer.aggregated ? answer.aggregated(version) : answer.object;
  const bytes = await encode(source, object, chosen);
  const type = convert ? `${chosen.mediaType};g=${convert.group};v=${version};as=${convert.kind}` : chosen.mediaType;
  if (answer.aggregated) {
    const etag = etagOf(bytes);
    ctx.res.appendHeader('Vary', 'Accept');
    ctx.res.setHeader('ETag', etag);
    ctx.res.setHeader('Cache-Control', 'public');
    if (matches(ctx, etag)) {
      sendBytes(ctx, 304, type, Buffer.alloc(0));
      return;
    }
  }
  await respondBytes(ctx, 200, type, bytes);
}

async function encode(source: DiscoverySource, object: JsonObject, chosen: MediaType): Promise<Uint8Array> {
  const { mediaType, pretty } = chosen;
  if (mediaType !== mediaTypes.protobuf) return encodeObject(object, { mediaType, pretty });
  const type = (await source.loadMeta())[String(object.kind)];
  if (type?.protobuf === undefined) throw notAcceptable([mediaTypes.json, mediaTypes.yaml]);
  const writer = new BinaryWriter();
  type.protobuf.encode(object as unknown as KubeObject, writer);
  return encodeEnvelope('v1', String(object.kind), writer.finish());
}

async function answerOpenApi(ctx: ApiContext, openapi: OpenApiDocuments, parts: readonly string[]): Promise<boolean> {
  const [, version, ...rest] = parts;
  if (version === 'v2' && rest.length === 0) {
    return openapi.v2(ctx);
  }
  if (version !== 'v3') return false;
  if (rest.length > 0) return openapi.groupVersion(ctx, rest.join('/'));
  await openapi.index(ctx);
  return true;
}
