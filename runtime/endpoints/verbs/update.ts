import { parseUpdateOptions } from '../../http/options/write-options.ts';
import { dedupOwnerReferencesAndAddWarning } from '../../resources/owner-references.ts';
import type { UpdatePart } from '../../resources/rest.ts';
import { Replacement } from '../../resources/write/changes.ts';
import { logRequestObject } from '../audit.ts';
import { ClientWriter } from '../client-writer.ts';
import { createPermission } from '../create-permission.ts';
import { decodeBody } from '../decode-body.ts';
import { negotiateEncoding, readAcceptable } from '../encodings/negotiate.ts';
import { checkName, checkNamespace, requireName } from '../namer.ts';
import type { ResourceRequest } from '../resource-request.ts';
import { respondWithResult } from '../write-result.ts';

/** Replaces an object, and responds with 200 and the stored object; with 201 if the resource allows PUT to create it. */
export function updateResource(request: ResourceRequest): Promise<void> {
  return updatePart(request, 'main');
}

/** Replaces one part of an object. */
export async function updatePart(request: ResourceRequest, part: UpdatePart): Promise<void> {
  const { ctx, definition, store, namespace, name } = request;
  requireName(request);
  const options = readAcceptable(request, 'object', () => parseUpdateOptions(ctx.state.query));
  const encoding = await negotiateEncoding(request, 'object');
  const object = await decodeBody(ctx, definition.type, options.fieldValidation);
  definition.type.setDefaults(object);
  logRequestObject(request, object);
  checkNamespace(request, object);
  checkName(request, object);
  const writer = ClientWriter.manager(request, options);
  dedupOwnerReferencesAndAddWarning(object, writer.warn, 'sent');
  const written = await store.update(
    definition,
    {
      namespace,
      name,
      change: new Replacement(object),
      part,
      subresource: request.info.subresource,
      requireCreate: definition.writeRules.createOnUpdate ? createPermission(request) : undefined,
      requireVersion: true,
      preconditionUid: object.metadata.uid,
    },
    writer,
  );
  await respondWithResult(request, written.created ? 201 : 200, encoding, written);
}
