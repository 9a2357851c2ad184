import type { EndpointRestrictions, MediaType } from '../../codec/media-type.ts';
import { type MetaVersion, metaVersionOf } from '../../codec/partial-metadata.ts';
import type { IncludeObject } from '../../codec/table.ts';
import type { ApiContext } from '../../http/context.ts';
import { isPretty, mediaTypes, negotiateOutput, negotiateStream, offersFor } from '../../http/negotiation.ts';
import { parseTableOptions } from '../../http/options/table-options.ts';
import type { GroupVersionKind } from '../../machinery/gvk.ts';
import type { ResourceDefinition } from '../../machinery/resource.ts';
import { notTransformable } from '../../machinery/status.ts';
import type { ResourceStore } from '../../resources/resource-store.ts';
import type { ResourceRequest } from '../dispatch.ts';
import { cborForm } from './cbor.ts';
import type { Form } from './form.ts';
import { jsonForm } from './json.ts';
import { partialForm } from './partial.ts';
import { protobufForm } from './protobuf.ts';
import { tableForm } from './table.ts';
import { yamlForm } from './yaml.ts';

type Shape = 'object' | 'list' | 'watch';

/** By store, since tables tell ages by the clock of their server, and definition. */
const formsOf = new WeakMap<ResourceStore, WeakMap<ResourceDefinition, KnownForms>>();

/** The forms of one definition that were made, and what clients said to get them. */
class KnownForms {
  /** By all that a form depends on. */
  readonly made = new Map<string, Form>();
  /** By the Accept header alone, of requests that say nothing else about their answer. */
  readonly usual = { object: new Map<string, Form>(), list: new Map<string, Form>(), watch: new Map<string, Form>() };
}

/** Accept headers that are remembered of one shape; then all are forgotten, so that strangers do not fill memory. */
const rememberedHeaders = 64;

/**
 * The form that the client asks for by Accept and `includeObject`. Forms are made once for a definition: there is a promise
 * only when one is made.
 *
 * @throws StatusError 400, 406
 */
export function negotiateForm(request: ResourceRequest, shape: Shape): Form | Promise<Form> {
  const { ctx, definition, store } = request;
  const known = knownForms(store, definition);
  if (!isUsual(ctx)) return chooseForm(request, shape, known);
  const { accept = '' } = ctx.req.headers;
  const usual = known.usual[shape];
  const form = usual.get(accept);
  if (form !== undefined) return form;
  const chosen = chooseForm(request, shape, known);
  if (usual.size >= rememberedHeaders) usual.clear();
  if (!(chosen instanceof Promise)) usual.set(accept, chosen);
  return chosen;
}

/** Whether the Accept header says all. */
function isUsual(ctx: ApiContext): boolean {
  const { query } = ctx.state;
  return !query.has('pretty') && !query.has('includeObject') && !isPretty(ctx);
}

function chooseForm(request: ResourceRequest, shape: Shape, known: KnownForms): Form | Promise<Form> {
  const { ctx, definition } = request;
  const negotiateShape = shape === 'watch' ? negotiateStream : negotiateOutput;
  const chosen = negotiateShape(ctx, offersFor(ctx), transformsOf(definition));
  if (chosen.convert) requireShape(definition, shape, chosen.convert.kind);
  const include = chosen.convert?.kind === 'Table' ? parseTableOptions(ctx.state.query).includeObject : '';
  const key = `${chosen.mediaType} ${chosen.convert?.kind ?? ''} ${chosen.convert?.version ?? ''} ${include} ${chosen.pretty}`;
  const form = known.made.get(key);
  if (form !== undefined) return form;
  return makeForm(request, chosen, include === '' ? 'Metadata' : include).then((made) => {
    known.made.set(key, made);
    return made;
  });
}

function knownForms(store: ResourceStore, definition: ResourceDefinition): KnownForms {
  let ofStore = formsOf.get(store);
  if (ofStore === undefined) {
    ofStore = new WeakMap();
    formsOf.set(store, ofStore);
  }
  let known = ofStore.get(definition);
  if (known === undefined) {
    known = new KnownForms();
    ofStore.set(definition, known);
  }
  return known;
}

async function makeForm(
  { deps, definition }: ResourceRequest,
  chosen: MediaType,
  include: IncludeObject,
): Promise<Form> {
  const { mediaType, convert, pretty } = chosen;
  const version = (convert && metaVersionOf(convert)) as MetaVersion;
  if (convert?.kind === 'Table') {
    return tableForm({ definition, version, include, mediaType, pretty, clock: deps.clock });
  }
  if (convert !== undefined) {
    return partialForm({ definition, version, mediaType, pretty, meta: await deps.registry.loadMeta() });
  }
  switch (mediaType) {
    case mediaTypes.yaml:
      return yamlForm(definition);
    case mediaTypes.protobuf:
      return protobufForm(definition, (await deps.registry.loadMeta()).Status);
    case mediaTypes.cbor:
      return cborForm(definition);
    default:
      return jsonForm(definition, pretty);
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
function goType({ group, listKind, reading }: ResourceDefinition, kind: string): string {
  if (reading !== undefined) return `unstructured.Unstructured${kind === listKind ? 'List' : ''}`;
  return `${goPackage(group)}.${kind}`;
}

function goPackage(group: string): string {
  if (group === '' || group === 'events.k8s.io') return 'core';
  return group === 'internal.apiserver.k8s.io' ? 'apiserverinternal' : group.split('.')[0];
}
