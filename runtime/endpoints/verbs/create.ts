import { wipeObjectMetaSystemFields } from '../../resources/metadata.ts';
import { dedupOwnerReferencesAndAddWarning } from '../../resources/owner-references.ts';
import { logRequestObject } from '../audit.ts';
import { ClientWriter } from '../client-writer.ts';
import { createOptionsOf } from '../create-options.ts';
import { decodeBody } from '../decode-body.ts';
import { negotiateEncoding, readAcceptable } from '../encodings/negotiate.ts';
import { checkNamespace } from '../namer.ts';
import type { ResourceRequest } from '../resource-request.ts';
import { respondWithResult } from '../write-result.ts';

/** Creates an object, and responds with 201 and the stored object. */
export async function createResource(request: ResourceRequest): Promise<void> {
  const { ctx, definition, store, namespace } = request;
  const options = readAcceptable(request, 'object', () => createOptionsOf(ctx));
  const encoding = await negotiateEncoding(request, 'object');
  const object = await decodeBody(ctx, definition.type, options.fieldValidation);
  definition.type.setDefaults(object);
  logRequestObject(request, object);
  wipeObjectMetaSystemFields(object);
  checkNamespace(request, object);
  const writer = ClientWriter.manager(request, options);
  dedupOwnerReferencesAndAddWarning(object, writer.warn, 'sent');
  const written = await store.create(definition, object, namespace, writer);
  await respondWithResult(request, 201, encoding, written);
}
