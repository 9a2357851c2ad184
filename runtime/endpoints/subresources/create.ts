import type { EndpointRestrictions } from '../../codec/media-type.ts';
import { metaVersionOf } from '../../codec/partial-metadata.ts';
import { negotiateOutput, supportedMediaTypes } from '../../http/negotiation.ts';
import { respondBytes } from '../../http/respond.ts';
import { badRequest, pathNotFound } from '../../machinery/errors/status.ts';
import { formatGroupVersion } from '../../machinery/gvk.ts';
import type { ResourceDefinition, SubresourceDefinition } from '../../machinery/resource.ts';
import { checkKey } from '../../resources/resource-store.ts';
import { admit, validateAdmission } from '../../resources/write/admission.ts';
import { manageFields } from '../../resources/write/create.ts';
import { walk } from '../../resources/write/steps.ts';
import type { Write } from '../../resources/write/write.ts';
import { logRequestObject } from '../audit.ts';
import { ClientWriter } from '../client-writer.ts';
import { createOptionsOf } from '../create-options.ts';
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

/** @throws StatusError 400 for a body with another name than the path */
function requireName({ object, target }: Write): void {
  if (target.name !== (object.metadata.name ?? '')) throw badRequest(`name in URL does not match name in ${object.kind} object`);
}

/** Creates a kind such as Binding for an object, and responds with 201 and a Status. (rest.NamedCreater) */
export async function createSubresource(request: ResourceRequest, { name: subresource, type }: SubresourceDefinition): Promise<void> {
  const { ctx, scope, store, definition, namespace, name } = request;
  const { namedCreaters, otherVersions } = scope.stores.strategy(definition);
  const create = namedCreaters?.[subresource];
  if (type === undefined || create === undefined) throw pathNotFound();
  const mediaType = negotiateOutput(ctx, supportedMediaTypes(ctx), statusRestrictions);
  const options = createOptionsOf(ctx);
  const body = await decodeBody(ctx, type, options.fieldValidation, otherVersions?.[subresource]);
  type.setDefaults(body);
  logRequestObject(request, body);
  body.apiVersion = formatGroupVersion(type);
  checkNamespace(request, body);
  const target = { namespace, name, subresource, type };
  const { group, version, kind } = type;
  const created: ResourceDefinition = { ...definition, group, version, kind, type, storageVersion: version };
  const managed = store.write('CREATE', created, target, ClientWriter.manager(request, options));
  managed.object = body;
  await manageFields(managed);
  const write = store.write('CREATE', definition, target, new ClientWriter(request, options.dryRun));
  write.object = managed.object;
  await walk(write, [admit, requireName, validateAdmission]);
  checkKey(definition, namespace, name);
  const { bytes, contentType } = await encodeStatus(request, await create(write.object, name, write), mediaType);
  await respondBytes(ctx, 201, contentType, bytes);
}
