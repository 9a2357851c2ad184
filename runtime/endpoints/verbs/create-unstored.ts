import { invalid, methodNotAllowed } from '../../machinery/errors/status.ts';
import { Field } from '../../machinery/validation/field.ts';
import type { FieldError } from '../../machinery/validation/field-error.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import { wipeObjectMetaSystemFields } from '../../resources/metadata.ts';
import { admit, validateAdmission } from '../../resources/write/admission.ts';
import { manageFields } from '../../resources/write/create.ts';
import { walk } from '../../resources/write/steps.ts';
import { logRequestObject } from '../audit.ts';
import { ClientWriter } from '../client-writer.ts';
import { createOptionsOf } from '../create-options.ts';
import { decodeBody } from '../decode-body.ts';
import { negotiateEncoding, readAcceptable } from '../encodings/negotiate.ts';
import { checkNamespace } from '../namer.ts';
import type { ResourceRequest } from '../resource-request.ts';
import { respondWithResult } from '../write-result.ts';

/**
 * Creates an object that is not stored, such as a review, and responds with 201 and the object that the strategy
 * returns.
 */
export async function createUnstored(request: ResourceRequest): Promise<void> {
  const { ctx, definition, scope, store, namespace } = request;
  const { create } = scope.stores.strategy(definition);
  if (create === undefined) throw methodNotAllowed(definition, 'create');
  const options = readAcceptable(request, 'object', () => createOptionsOf(ctx));
  const encoding = await negotiateEncoding(request, 'object');
  const object = await decodeBody(ctx, definition.type, options.fieldValidation);
  definition.type.setDefaults(object);
  logRequestObject(request, object);
  wipeObjectMetaSystemFields(object);
  checkNamespace(request, object);
  const errors: FieldError[] = [];
  definition.type.validate(object, Field.at(FieldPath.root, errors));
  if (errors.length > 0) throw invalid(definition, object.metadata.name ?? '', errors);
  const write = store.write('CREATE', definition, { namespace }, ClientWriter.manager(request, options));
  write.object = object;
  await walk(write, unstoredSteps);
  await respondWithResult(request, 201, encoding, { kind: 'object', object: await create(write.object, write) });
}

/** What comes before the strategy. */
const unstoredSteps = [manageFields, admit, validateAdmission];
