import { parseCreateOptions } from '../../http/query.ts';
import type { FieldError } from '../../machinery/field-error.ts';
import { FieldPath } from '../../machinery/field-path.ts';
import { invalid, methodNotAllowed } from '../../machinery/status.ts';
import { decodeBody } from '../decode-body.ts';
import type { ResourceRequest } from '../dispatch.ts';
import { negotiateForm } from '../forms/forms.ts';
import { checkNamespace } from '../names.ts';
import { respondWritten, writerOf } from '../respond-written.ts';

/** POST of a kind that is a question: 201 with the answer, and nothing is kept. */
export async function answerUnstored(request: ResourceRequest): Promise<void> {
  const { ctx, definition, deps, namespace } = request;
  const { answer } = deps.stores.hooks(definition);
  if (answer === undefined) throw methodNotAllowed(definition, 'create');
  const options = parseCreateOptions(ctx.state.query);
  const form = await negotiateForm(request, 'object');
  const object = await decodeBody(ctx, definition.type, options.fieldValidation);
  if (definition.namespaced) checkNamespace(request, object);
  definition.type.setDefaults(object);
  const errors: FieldError[] = [];
  definition.type.validate(object, FieldPath.root, errors);
  if (errors.length > 0) throw invalid(definition, object.metadata.name ?? '', errors);
  const { user, dryRun, warn } = writerOf(request, options.dryRun);
  const context = { definition, namespace, user, dryRun, warn, now: deps.clock.now(), stores: deps.stores };
  await respondWritten(request, 201, form, { kind: 'object', object: await answer(object, context) });
}
