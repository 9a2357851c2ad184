import type { MediaType, MediaTypeOffer } from '../../codec/media-type.ts';
import { type MetaVersion, metaVersionOf } from '../../codec/partial-metadata.ts';
import type { IncludeObject } from '../../codec/table.ts';
import { mediaTypes, negotiateOutput, negotiateStream, standardOffers, textOffers } from '../../http/negotiation.ts';
import { parseTableOptions } from '../../http/query.ts';
import type { GroupVersionKind } from '../../machinery/gvk.ts';
import type { ResourceDefinition, TypeDefinition } from '../../machinery/resource.ts';
import type { ResourceRequest } from '../dispatch.ts';
import type { Form } from './form.ts';
import { jsonForm } from './json.ts';
import { partialForm } from './partial.ts';
import { protobufForm } from './protobuf.ts';
import { tableForm } from './table.ts';
import { yamlForm } from './yaml.ts';

type Shape = 'object' | 'list' | 'watch';

const formsOf = new WeakMap<ResourceDefinition, Map<string, Form>>();

/** The media types that a resource is answered in. */
export function offersOf(type: Pick<TypeDefinition, 'protobuf'>): readonly MediaTypeOffer[] {
  return type.protobuf ? standardOffers : textOffers;
}

/**
 * The form that the client asks for by Accept and `includeObject`. Forms are made once for a definition.
 *
 * @throws StatusError 400, 406
 */
export async function negotiateForm(request: ResourceRequest, shape: Shape): Promise<Form> {
  const { ctx, definition } = request;
  const restrictions = {
    allowsTransform: (_type: string, target: GroupVersionKind | undefined) =>
      target === undefined || (definition.stored && allowed(shape, target)),
  };
  const negotiateShape = shape === 'watch' ? negotiateStream : negotiateOutput;
  const chosen = negotiateShape(ctx, offersOf(definition.type), restrictions);
  const include = chosen.convert?.kind === 'Table' ? parseTableOptions(ctx.state.query).includeObject : '';
  const key = `${chosen.mediaType} ${chosen.convert?.kind ?? ''} ${chosen.convert?.version ?? ''} ${include} ${chosen.pretty}`;
  const known = formsOf.get(definition) ?? new Map<string, Form>();
  formsOf.set(definition, known);
  let form = known.get(key);
  if (form === undefined) {
    form = await makeForm(request, chosen, include === '' ? 'Metadata' : include);
    known.set(key, form);
  }
  return form;
}

async function makeForm(
  { deps, definition }: ResourceRequest,
  chosen: MediaType,
  include: IncludeObject,
): Promise<Form> {
  const { mediaType, convert, pretty } = chosen;
  const version = (convert && metaVersionOf(convert)) as MetaVersion;
  if (convert?.kind === 'Table') {
    return tableForm({ definition, version, include, yaml: mediaType === mediaTypes.yaml, clock: deps.clock });
  }
  if (convert !== undefined) {
    return partialForm({ definition, version, mediaType, meta: await deps.registry.loadMeta() });
  }
  if (mediaType === mediaTypes.yaml) return yamlForm(definition);
  if (mediaType === mediaTypes.protobuf) {
    return protobufForm(definition, (await deps.registry.loadMeta()).Status);
  }
  return jsonForm(definition, pretty);
}

/** (apiserver pkg/endpoints/handlers/response.go tableTransform, partialObjectMetadata) */
function allowed(shape: Shape, target: GroupVersionKind): boolean {
  if (metaVersionOf(target) === undefined) return false;
  if (target.kind === 'Table') return true;
  return target.kind === (shape === 'list' ? 'PartialObjectMetadataList' : 'PartialObjectMetadata');
}
