import type { EndpointRestrictions, MediaType } from '../../codec/media-type.ts';
import { type MetaVersion, metaVersionOf } from '../../codec/partial-metadata.ts';
import type { IncludeObject } from '../../codec/table.ts';
import type { ApiContext } from '../../http/context.ts';
import { isPretty, mediaTypes, negotiateOutput, negotiateStream, offersFor } from '../../http/negotiation.ts';
import { parseTableOptions } from '../../http/options/read-options.ts';
import { BoundedMap } from '../../machinery/collections/bounded-map.ts';
import { notTransformable } from '../../machinery/errors/status.ts';
import type { GroupVersionKind } from '../../machinery/gvk.ts';
import type { ResourceDefinition } from '../../machinery/resource.ts';
import type { ResourceStore } from '../../resources/resource-store.ts';
import type { ResourceRequest } from '../resource-request.ts';
import { cborEncoding } from './cbor.ts';
import { jsonEncoding } from './json.ts';
import { partialMetadataEncoding } from './partial-metadata.ts';
import { protobufEncoding } from './protobuf.ts';
import type { ResponseEncoding } from './response-encoding.ts';
import { tableEncoding } from './table.ts';
import { yamlEncoding } from './yaml.ts';

type Shape = 'object' | 'list' | 'watch';

/** By store, since tables tell ages by the clock of their server, and definition. */
const encodingsOf = new WeakMap<ResourceStore, WeakMap<ResourceDefinition, KnownEncodings>>();

/** How many Accept headers are cached for one shape. */
const maxCachedHeaders = 128;

/** The forms of one definition that were made, and what clients said to get them. */
class KnownEncodings {
  /** By all that a form depends on. */
  readonly made = new Map<string, ResponseEncoding>();
  /** By the Accept header alone, of requests that say nothing else about their answer. */
  readonly usual = {
    object: new BoundedMap<string, ResponseEncoding>(maxCachedHeaders),
    list: new BoundedMap<string, ResponseEncoding>(maxCachedHeaders),
    watch: new BoundedMap<string, ResponseEncoding>(maxCachedHeaders),
  };
}

/**
 * The form that the client asks for by Accept and `includeObject`. Forms are made once for a definition: there is a promise
 * only when one is made.
 *
 * @throws StatusError 400, 406
 */
export function negotiateEncoding(
  request: ResourceRequest,
  shape: Shape,
): ResponseEncoding | Promise<ResponseEncoding> {
  const { ctx, definition, store } = request;
  const known = knownEncodings(store, definition);
  if (!isUsual(ctx)) return chooseEncoding(request, shape, known);
  const { accept = '' } = ctx.req.headers;
  const usual = known.usual[shape];
  const form = usual.get(accept);
  if (form !== undefined) return form;
  const chosen = chooseEncoding(request, shape, known);
  if (!(chosen instanceof Promise)) usual.set(accept, chosen);
  return chosen;
}

/** Whether the Accept header says all. */
function isUsual(ctx: ApiContext): boolean {
  const { query } = ctx.state;
  return !query.has('pretty') && !query.has('includeObject') && !isPretty(ctx);
}

function chooseEncoding(
  request: ResourceRequest,
  shape: Shape,
  known: KnownEncodings,
): ResponseEncoding | Promise<ResponseEncoding> {
  const { ctx, definition } = request;
  const negotiateShape = shape === 'watch' ? negotiateStream : negotiateOutput;
  const chosen = negotiateShape(ctx, offersFor(ctx), transformsOf(definition));
  if (chosen.convert) requireShape(definition, shape, chosen.convert.kind);
  const include = chosen.convert?.kind === 'Table' ? parseTableOptions(ctx.state.query).includeObject : '';
  const key = `${chosen.mediaType} ${chosen.convert?.kind ?? ''} ${chosen.convert?.version ?? ''} ${include} ${chosen.pretty}`;
  const form = known.made.get(key);
  if (form !== undefined) return form;
  return makeEncoding(request, chosen, include === '' ? 'Metadata' : include).then((made) => {
    known.made.set(key, made);
    return made;
  });
}

function knownEncodings(store: ResourceStore, definition: ResourceDefinition): KnownEncodings {
  let ofStore = encodingsOf.get(store);
  if (ofStore === undefined) {
    ofStore = new WeakMap();
    encodingsOf.set(store, ofStore);
  }
  let known = ofStore.get(definition);
  if (known === undefined) {
    known = new KnownEncodings();
    ofStore.set(definition, known);
  }
  return known;
}

async function makeEncoding(
  { scope, definition }: ResourceRequest,
  chosen: MediaType,
  include: IncludeObject,
): Promise<ResponseEncoding> {
  const { mediaType, convert, pretty } = chosen;
  const version = (convert && metaVersionOf(convert)) as MetaVersion;
  if (convert?.kind === 'Table') {
    return tableEncoding({ definition, version, include, mediaType, pretty, clock: scope.clock });
  }
  if (convert !== undefined) {
    return partialMetadataEncoding({ definition, version, mediaType, pretty, meta: await scope.registry.loadMeta() });
  }
  switch (mediaType) {
    case mediaTypes.yaml:
      return yamlEncoding(definition);
    case mediaTypes.protobuf:
      return protobufEncoding(definition, (await scope.registry.loadMeta()).Status);
    case mediaTypes.cbor:
      return cborEncoding(definition);
    default:
      return jsonEncoding(definition, pretty);
  }
}

/** What objects of a kind may be answered as. (apiserver pkg/endpoints/handlers/rest.go AllowsMediaTypeTransform) */
export const transformsOf = (definition: ResourceDefinition): EndpointRestrictions => ({
  allowsTransform: (mediaType, target) => allowed(definition, mediaType, target),
});

function allowed(
  { type, stored, verbs }: ResourceDefinition,
  mediaType: string,
  target: GroupVersionKind | undefined,
): boolean {
  if (target === undefined) return mediaType !== mediaTypes.protobuf || type.protobuf !== undefined;
  const isListed = stored || verbs.includes('list');
  if (!isListed || metaVersionOf(target) === undefined) return false;
  if (target.kind === 'Table') return mediaType === mediaTypes.json || mediaType === mediaTypes.yaml;
  return target.kind === 'PartialObjectMetadata' || target.kind === 'PartialObjectMetadataList';
}

/** (apiserver pkg/endpoints/handlers/response.go asPartialObjectMetadata, asPartialObjectMetadataList) */
function requireShape(definition: ResourceDefinition, shape: Shape, asked: string): void {
  if (asked === 'PartialObjectMetadata' && shape === 'list') {
    throw notTransformable(
      `you requested PartialObjectMetadata, but the requested object is a list (*${goType(definition, definition.listKind)})`,
    );
  }
  if (asked === 'PartialObjectMetadataList' && shape !== 'list') {
    throw notTransformable(
      `you requested PartialObjectMetadataList, but the requested object is not a list (*${goType(definition, definition.kind)})`,
    );
  }
}

/** What upstream's internal type of a kind is called; custom resources have none of their own. */
function goType({ group, listKind, type }: ResourceDefinition, kind: string): string {
  if (type.unstructured) return `unstructured.Unstructured${kind === listKind ? 'List' : ''}`;
  return `${goPackage(group)}.${kind}`;
}

function goPackage(group: string): string {
  if (group === '' || group === 'events.k8s.io') return 'core';
  return group === 'internal.apiserver.k8s.io' ? 'apiserverinternal' : group.split('.')[0];
}
