import { parseCreateOptions } from '../../http/options/write-options.ts';
import { decodeBody } from '../decode-body.ts';
import type { ResourceRequest } from '../dispatch.ts';
import { negotiateForm } from '../forms/forms.ts';
import { checkNamespace } from '../names.ts';
import { dedupOwnerReferences } from '../owner-references.ts';
import { respondWritten, writerOf } from '../respond-written.ts';

/** POST to a collection: 201 with the object as it was stored. */
export async function createResource(request: ResourceRequest): Promise<void> {
  const { ctx, definition, store, namespace } = request;
  const options = parseCreateOptions(ctx.state.query);
  const form = await negotiateForm(request, 'object');
  const object = await decodeBody(ctx, definition.type, options.fieldValidation);
  checkNamespace(request, object);
  definition.type.setDefaults(object);
  const writer = writerOf(request, options.dryRun, options);
  dedupOwnerReferences(object, writer.warn, 'sent');
  const written = await store.create(definition, object, namespace, writer);
  await respondWritten(request, 201, form, written);
}
