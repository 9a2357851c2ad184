import type { EndpointRestrictions } from '../../codec/media-type.ts';
import { metaVersionOf } from '../../codec/partial-metadata.ts';
import { negotiateOutput, supportedMediaTypes } from '../../http/negotiation.ts';
import { parseCreateOptions } from '../../http/options/write-options.ts';
import { respondBytes } from '../../http/respond.ts';
import { pathNotFound } from '../../machinery/errors/status.ts';
import { formatGroupVersion } from '../../machinery/gvk.ts';
import type { SubresourceDefinition } from '../../machinery/resource.ts';
import { admit, validateAdmission } from '../../resources/write/admission.ts';
import { walk } from '../../resources/write/steps.ts';
import { logRequestObject } from '../audit.ts';
import { ClientWriter } from '../client-writer.ts';
import { decodeBody } from '../decode-body.ts';
import { encodeStatus } from '../encodings/encode-status.ts';
import { checkNamespace } from '../namer.ts';
import type { ResourceRequest } from '../resource-request.ts';

/** The response is a Status, which has no table. */
const statusRestrictions: EndpointRestrictions = {
  allowsTransform: (_mediaType, target) =>
    target === undefined ||
    (metaVersionOf(target) !== undefined && ['PartialObjectMetadata', 'PartialObjectMetadataList'].includes(target.kind)),
};

/** Creates a kind such as Binding for an object, and responds with 201 and a Status. (rest.NamedCreater) */
export async function createSubresource(request: ResourceRequest, { name: subresource, type }: SubresourceDefinition): Promise<void> {
  const { ctx, scope, store, definition, namespace, name } = request;
  const { namedCreaters, otherVersions } = scope.stores.strategy(definition);
  const create = namedCreaters?.[subresource];
  if (type === undefined || create === undefined) throw pathNotFound();
  const mediaType = negotiateOutput(ctx, supportedMediaTypes(ctx), statusRestrictions);
  const options = parseCreateOptions(ctx.state.query);
  const body = await decodeBody(ctx, type, options.fieldValidation, otherVersions?.[subresource]);
  type.setDefaults(body);
  logRequestObject(request, body);
  body.apiVersion = formatGroupVersion(type);
  checkNamespace(request, body);
  const write = store.write('CREATE', definition, { namespace, name, subresource, type }, new ClientWriter(request, options.dryRun));
  write.object = body;
  await walk(write, [admit, validateAdmission]);
  const { bytes, contentType } = await encodeStatus(request, await create(write.object, name, write), mediaType);
  await respondBytes(ctx, 201, contentType, bytes);
}
