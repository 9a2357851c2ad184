import { parseCreateOptions } from '../../http/options/write-options.ts';
import { invalid, methodNotAllowed } from '../../machinery/errors/status.ts';
import type { KubeObject } from '../../machinery/object.ts';
import { Field } from '../../machinery/validation/field.ts';
import type { FieldError } from '../../machinery/validation/field-error.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import { logRequestObject } from '../audit.ts';
import { decodeBody } from '../decode-body.ts';
import { negotiateEncoding } from '../encodings/negotiate.ts';
import { checkNamespace } from '../namer.ts';
import type { ResourceRequest } from '../resource-request.ts';
import { respondWithResult, writerOf } from '../write-result.ts';

/** Creates an object that is not stored, such as a review, and responds with 201 and what the strategy made of it. */
export async function createUnstored(request: ResourceRequest): Promise<void> {
  const { ctx, definition, scope, namespace } = request;
  const { create } = scope.stores.strategy(definition);
  if (create === undefined) throw methodNotAllowed(definition, 'create');
  const options = parseCreateOptions(ctx.state.query);
  const encoding = await negotiateEncoding(request, 'object');
  const object = await decodeBody(ctx, definition.type, options.fieldValidation);
  definition.type.setDefaults(object);
  logRequestObject(request, object);
  if (definition.namespaced) checkNamespace(request, object);
  const errors: FieldError[] = [];
  definition.type.validate(object, Field.at(FieldPath.root, errors));
  if (errors.length > 0) throw invalid(definition, object.metadata.name ?? '', errors);
  const { user, dryRun, warn, fieldManager, admission } = writerOf(request, options.dryRun, options);
  const context = {
    definition,
    namespace,
    user,
    dryRun,
    warn,
    now: scope.clock.now(),
    part: 'main' as const,
    stores: scope.stores,
  };
  const managed = fieldManager === undefined ? object : await withManagedFields(fieldManager, object, request);
  const admitted = admission === undefined ? managed : await admission.admit(managed, undefined);
  await admission?.validate(admitted, undefined);
  await respondWithResult(request, 201, encoding, { kind: 'object', object: await create(admitted, context) });
}

/** Adds managed fields, which every object gets on creation. */
async function withManagedFields(manager: string, object: KubeObject, { scope, definition }: ResourceRequest): Promise<KubeObject> {
  const { fieldManagers } = scope.stores;
  const fields = await fieldManagers.of(definition, '', object);
  return fieldManagers.run(definition, () => fields.update(fieldManagers.empty(definition), object, manager));
}
