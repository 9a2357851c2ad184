import type { MediaType } from '../../codec/media-type.ts';
import { type MetaVersion, metaVersionOf } from '../../codec/partial-metadata.ts';
import type { IncludeObject } from '../../codec/table.ts';
import { mediaTypes, negotiateOutput, negotiateStream, offersFor } from '../../http/negotiation.ts';
import { parseTableOptions } from '../../http/query.ts';
import type { GroupVersionKind } from '../../machinery/gvk.ts';
import type { ResourceDefinition } from '../../machinery/resource.ts';
import { notTransformable } from '../../machinery/status.ts';
import type { ApiDeps, ResourceRequest } from '../dispatch.ts';
import { cborForm } from './cbor.ts';
import type { Form } from './form.ts';
import { jsonForm } from './json.ts';
import { partialForm } from './partial.ts';
import { protobufForm } from './protobuf.ts';
import { tableForm } from './table.ts';
import { yamlForm } from './yaml.ts';

type Shape = 'object' | 'list' | 'watch';

/** By server, since tables tell ages by its clock, and definition. */
const formsOf = new WeakMap<ApiDeps, WeakMap<ResourceDefinition, Map<string, Form>>>();

/**
 * The form that the client asks for by Accept and `includeObject`. Forms are made once for a definition.
 *
 * @throws StatusError 400, 406
 */
export async function negotiateForm(request: ResourceRequest, shape: Shape): Promise<Form> {
  const { ctx, definition, deps } = request;
  const negotiateShape = shape === 'watch' ? negotiateStream : negotiateOutput;
  const chosen = negotiateShape(ctx, offersFor(ctx), {
    allowsTransform: (mediaType, target) => allowed(definition, mediaType, target),
  });
  if (chosen.convert) requireShape(definition, shape, chosen.convert.kind);
  const include = chosen.convert?.kind === 'Table' ? parseTableOptions(ctx.state.query).includeObject : '';
  const key = `${chosen.mediaType} ${chosen.convert?.kind ?? ''} ${chosen.convert?.version ?? ''} ${include} ${chosen.pretty}`;
  const known = knownForms(deps, definition);
  let form = known.get(key);
  if (form === undefined) {
    form = await makeForm(request, chosen, include === '' ? 'Metadata' : include);
    known.set(key, form);
  }
  return form;
}

function knownForms(deps: ApiDeps, definition: ResourceDefinition): Map<string, Form> {
  const ofServer = formsOf.get(deps) ?? new WeakMap<ResourceDefinition, Map<string, Form>>();
  formsOf.set(deps, ofServer);
  const known = ofServer.get(definition) ?? new Map<string, Form>();
  ofServer.set(definition, known);
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

/** (apiserver pkg/endpoints/handlers/rest.go AllowsMediaTypeTransform) */
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
      `you requested PartialObjectMetadata, but the requested object is a list (*${goPackage(definition)}.${definition.listKind})`,
    );
  }
  if (asked === 'PartialObjectMetadataList' && shape !== 'list') {
    throw notTransformable(
      `you requested PartialObjectMetadataList, but the requested object is not a list (*${goPackage(definition)}.${definition.kind})`,
    );
  }
}

/** Where upstream keeps the internal types of a group. */
function goPackage({ group }: ResourceDefinition): string {
  if (group === '' || group === 'events.k8s.io') return 'core';
  return group === 'internal.apiserver.k8s.io' ? 'apiserverinternal' : group.split('.')[0];
}
