import type { EndpointRestrictions, MediaType } from '../../codec/media-type.ts';
import { type MetaVersion, metaVersionOf } from '../../codec/partial-metadata.ts';
import type { IncludeObject } from '../../codec/table.ts';
import type { ApiContext } from '../../http/context.ts';
import { isPretty, mediaTypes, negotiateOutput, negotiateStream, supportedMediaTypes } from '../../http/negotiation.ts';
import { parseTableOptions } from '../../http/options/read-options.ts';
import type { AuditContext } from '../../machinery/audit-context.ts';
import { metaType } from '../../machinery/catalog.ts';
import { BoundedMap } from '../../machinery/collections/bounded-map.ts';
import { isStatusError, notTransformable, plainError, type StatusError } from '../../machinery/errors/status.ts';
import type { GroupVersionKind } from '../../machinery/gvk.ts';
import type { ResourceDefinition } from '../../machinery/resource.ts';
import { internalGoType } from '../../resources/decoding/go-types.ts';
import type { ResourceStore } from '../../resources/resource-store.ts';
import type { ResourceRequest } from '../resource-request.ts';
import { AuditedEncoding } from './audited.ts';
import { CborEncoding } from './cbor.ts';
import { JsonEncoding } from './json.ts';
import { partialMetadataEncoding } from './partial-metadata.ts';
import { ProtobufEncoding } from './protobuf.ts';
import { RefusedEncoding } from './refused.ts';
import { RefusedWatchEncoding } from './refused-watch.ts';
import type { ResponseEncoding } from './response-encoding.ts';
import { TableEncoding } from './table.ts';
import { YamlEncoding } from './yaml.ts';

type ResponseShape = 'object' | 'list' | 'watch';

/** By store, because tables show ages by the clock of their server, and by definition. */
const encodings = new WeakMap<ResourceStore, WeakMap<ResourceDefinition, DefinitionEncodings>>();

/** The maximum number of cached Accept headers for one shape. */
const maxCachedHeaders = 128;

/** The existing encodings of one definition. */
class DefinitionEncodings {
  /** Encodings by all facts that they depend on. */
  readonly byKey = new Map<string, ResponseEncoding>();
  /** By the Accept header, for requests in which nothing else affects the encoding. */
  readonly byAccept = {
    object: new BoundedMap<string, ResponseEncoding>(maxCachedHeaders),
    list: new BoundedMap<string, ResponseEncoding>(maxCachedHeaders),
    watch: new BoundedMap<string, ResponseEncoding>(maxCachedHeaders),
  };
}

/**
 * Returns the encoding that the client requests by Accept and `includeObject`. Returns a promise only if the encoding
 * does not exist yet. (apiserver negotiation.NegotiateOutputMediaType)
 *
 * @throws StatusError 400, 406
 */
export function negotiateEncoding(request: ResourceRequest, shape: ResponseShape): ResponseEncoding | Promise<ResponseEncoding> {
  const { audit } = request.ctx.state;
  return audit?.logsResponse && shape !== 'watch' ? auditedEncoding(request, shape, audit) : encodingFor(request, shape);
}

/**
 * Reads what a request says besides its Accept header. Upstream negotiates before it reads options, but converts
 * objects to other kinds only at the end: an unacceptable media type is reported before the mistakes found here, and a
 * conversion that is not possible after them.
 *
 * @throws StatusError 406, and what `read` throws
 */
export function readAcceptable<T>(request: ResourceRequest, shape: ResponseShape, read: () => T): T {
  try {
    return read();
  } catch (error) {
    chooseMediaType(request, shape);
    throw error;
  }
}

/** Returns the encoding, extended to record compact JSON for the audit. */
async function auditedEncoding(request: ResourceRequest, shape: ResponseShape, audit: AuditContext): Promise<ResponseEncoding> {
  const encoding = await encodingFor(request, shape);
  const existing = encodingsOf(request.store, request.definition);
  const chosen = { ...chooseMediaType(request, shape), mediaType: mediaTypes.json, pretty: false };
  return new AuditedEncoding(audit, encoding, await existingOrNew(request, chosen, existing));
}

function encodingFor(request: ResourceRequest, shape: ResponseShape): ResponseEncoding | Promise<ResponseEncoding> {
  const { ctx, definition, store } = request;
  const existing = encodingsOf(store, definition);
  if (!dependsOnAcceptOnly(ctx)) return chooseEncoding(request, shape, existing);
  if (isWithoutTables(request)) return chooseEncoding(request, shape, existing);
  const { accept = '' } = ctx.req.headers;
  const byAccept = existing.byAccept[shape];
  const cached = byAccept.get(accept);
  if (cached !== undefined) return cached;
  const chosen = chooseEncoding(request, shape, existing);
  if (!(chosen instanceof Promise)) byAccept.set(accept, chosen);
  return chosen;
}

const isWithoutTables = ({ store, info }: ResourceRequest): boolean =>
  store.strategy.withoutTables?.includes(info.subresource ?? '') ?? false;

function dependsOnAcceptOnly(ctx: ApiContext): boolean {
  const { query } = ctx.state;
  return !query.has('pretty') && !query.has('includeObject') && !isPretty(ctx);
}

function chooseEncoding(
  request: ResourceRequest,
  shape: ResponseShape,
  existing: DefinitionEncodings,
): ResponseEncoding | Promise<ResponseEncoding> {
  const chosen = chooseMediaType(request, shape);
  const refusal = chosen.convert && refusalOf(request, shape, chosen.convert.kind);
  if (refusal !== undefined && shape === 'watch') return refusedWatch(request, chosen, existing);
  if (refusal !== undefined) return new RefusedEncoding(refusal);
  const problem = chosen.convert?.kind === 'Table' && shape !== 'watch' ? tableProblem(request) : undefined;
  if (problem !== undefined && request.info.verb === 'delete') {
    // the response may be a Status, which no encoding encodes
    request.store.get(request.namespace, request.name);
    throw problem;
  }
  if (problem !== undefined) return new RefusedEncoding(problem);
  return existingOrNew(request, chosen, existing);
}

/** Returns the error of the options of a table, with which a request fails when its result is encoded. */
function tableProblem({ ctx }: ResourceRequest): StatusError | undefined {
  try {
    parseTableOptions(ctx.state.query);
    return undefined;
  } catch (error) {
    if (isStatusError(error)) return error;
    throw error;
  }
}

async function refusedWatch(
  request: ResourceRequest,
  { convert: _, ...chosen }: MediaType,
  existing: DefinitionEncodings,
): Promise<ResponseEncoding> {
  return new RefusedWatchEncoding(await existingOrNew(request, chosen, existing));
}

function chooseMediaType(request: ResourceRequest, shape: ResponseShape): MediaType {
  const negotiateShape = shape === 'watch' ? negotiateStream : negotiateOutput;
  return negotiateShape(request.ctx, supportedMediaTypes(request.ctx), restrictionsFor(request));
}

function existingOrNew(
  request: ResourceRequest,
  chosen: MediaType,
  { byKey }: DefinitionEncodings,
): ResponseEncoding | Promise<ResponseEncoding> {
  const { ctx } = request;
  const { mediaType, convert, pretty } = chosen;
  const include = convert?.kind === 'Table' ? parseTableOptions(ctx.state.query).includeObject : '';
  const key = `${mediaType} ${convert?.kind ?? ''} ${convert?.version ?? ''} ${include} ${pretty}`;
  const existing = byKey.get(key);
  if (existing !== undefined) return existing;
  return createEncoding(request, chosen, include === '' ? 'Metadata' : include).then((created) => {
    byKey.set(key, created);
    return created;
  });
}

function encodingsOf(store: ResourceStore, definition: ResourceDefinition): DefinitionEncodings {
  let ofStore = encodings.get(store);
  if (ofStore === undefined) {
    ofStore = new WeakMap();
    encodings.set(store, ofStore);
  }
  let existing = ofStore.get(definition);
  if (existing === undefined) {
    existing = new DefinitionEncodings();
    ofStore.set(definition, existing);
  }
  return existing;
}

async function createEncoding(
  { scope, definition }: ResourceRequest,
  { mediaType, convert, pretty }: MediaType,
  include: IncludeObject,
): Promise<ResponseEncoding> {
  const version = (convert && metaVersionOf(convert)) as MetaVersion;
  if (convert?.kind === 'Table') {
    return new TableEncoding({ definition, version, include, mediaType, pretty, clock: scope.clock });
  }
  if (convert !== undefined) {
    const metaTypes = await scope.registry.loadMeta();
    return partialMetadataEncoding({ definition, version, mediaType, pretty, metaTypes });
  }
  switch (mediaType) {
    case mediaTypes.yaml:
      return new YamlEncoding(definition);
    case mediaTypes.protobuf:
      return new ProtobufEncoding(definition, metaType(await scope.registry.loadMeta(), 'Status'));
    case mediaTypes.cbor:
      return new CborEncoding(definition);
    default:
      return new JsonEncoding(definition, pretty);
  }
}

/** Returns the restrictions on conversions of a kind's objects. (handlers.RequestScope AllowsMediaTypeTransform) */
export const restrictionsFor = (request: ResourceRequest): EndpointRestrictions => ({
  allowsTransform: (mediaType, target) => allowsTransform(request, mediaType, target),
});

function allowsTransform(request: ResourceRequest, mediaType: string, target: GroupVersionKind | undefined): boolean {
  const { type, stored, verbs } = request.definition;
  if (target === undefined) return mediaType !== mediaTypes.protobuf || type.protobuf !== undefined;
  if (metaVersionOf(target) === undefined) return false;
  if (target.kind === 'Table') {
    const hasTables = (stored || verbs.includes('list')) && !isWithoutTables(request);
    return hasTables && (mediaType === mediaTypes.json || mediaType === mediaTypes.yaml);
  }
  return target.kind === 'PartialObjectMetadata' || target.kind === 'PartialObjectMetadataList';
}

/** (apiserver pkg/endpoints/handlers/response.go asPartialObjectMetadata, asPartialObjectMetadataList) */
function refusalOf({ definition }: ResourceRequest, shape: ResponseShape, requested: string): StatusError | undefined {
  if (requested === 'PartialObjectMetadata' && shape === 'list') {
    return notTransformable(`you requested PartialObjectMetadata, but the requested object is a list (*${listGoType(definition)})`);
  }
  if (requested === 'PartialObjectMetadataList' && shape !== 'list') {
    if (definition.type.unstructured) return plainError('content is not a list');
    return notTransformable(`you requested PartialObjectMetadataList, but the requested object is not a list (*${goType(definition)})`);
  }
  return undefined;
}

const goType = ({ type, group, kind }: ResourceDefinition): string =>
  type.unstructured ? 'unstructured.Unstructured' : internalGoType({ group, kind });

const listGoType = ({ type, group, listKind }: ResourceDefinition): string =>
  type.unstructured ? 'unstructured.UnstructuredList' : internalGoType({ group, kind: listKind });
