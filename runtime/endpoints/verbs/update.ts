import { parseUpdateOptions } from '../../http/options/write-options.ts';
import { cloneJson } from '../../machinery/clone.ts';
import type { UpdateRequest } from '../../resources/update.ts';
import { decodeBody } from '../decode-body.ts';
import type { ResourceRequest } from '../dispatch.ts';
import { negotiateForm } from '../forms/forms.ts';
import { checkName, checkNamespace } from '../names.ts';
import { dedupOwnerReferences } from '../owner-references.ts';
import { respondWritten, writerOf } from '../respond-written.ts';

/** PUT of a whole object: 200, or 201 where the resource lets PUT create. */
export function updateResource(request: ResourceRequest): Promise<void> {
  return putPart(request, 'main');
}

/** PUT of an object of which one part counts. */
export async function putPart(request: ResourceRequest, part: UpdateRequest['part']): Promise<void> {
  const { ctx, definition, store, namespace, name } = request;
  const options = parseUpdateOptions(ctx.state.query);
  const form = await negotiateForm(request, 'object');
  const object = await decodeBody(ctx, definition.type, options.fieldValidation);
  checkNamespace(request, object);
  checkName(request, object);
  definition.type.setDefaults(object);
  const writer = writerOf(request, options.dryRun, options);
  dedupOwnerReferences(object, writer.warn, 'sent');
  const written = await store.update(
    definition,
    {
      namespace,
      name,
      change: () => cloneJson(object),
      part,
      subresource: request.info.subresource,
      createIfAbsent: part === 'main' && definition.strategy.createOnUpdate,
      requireVersion: true,
    },
    writer,
  );
  await respondWritten(request, written.created ? 201 : 200, form, written);
}
