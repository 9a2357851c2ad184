import { patiently } from '../machinery/event-loop.ts';
import { type FieldError, FieldErrors } from '../machinery/field-error.ts';
import { FieldPath } from '../machinery/field-path.ts';
import type { KubeObject } from '../machinery/object.ts';
import { invalid } from '../machinery/status.ts';
import type { WriteContext } from './hooks.ts';
import { validateMetadata, validateMetadataUpdate, validateOwnFinalizers } from './metadata-validation.ts';
import type { UpdateRequest } from './update.ts';

/** Everything that must hold of a new object. @throws StatusError 422 with every cause */
export function validateNew(object: KubeObject, context: WriteContext): void {
  const errors = inContext(context, () => errorsOfNew(object, context));
  refuse(object, errors, context);
}

function errorsOfNew(object: KubeObject, context: WriteContext): readonly FieldError[] {
  const { definition, stores } = context;
  const errors = new FieldErrors();
  validateMetadata(object.metadata, definition.strategy.nameRule, definition.namespaced, errors);
  validateOwnFinalizers(object.metadata, definition, errors);
  definition.type.validate(object, FieldPath.root, errors);
  const hooks = stores.hooks(definition);
  hooks.validate?.(object, errors, context);
  hooks.validateCreate?.(object, errors, context);
  return errors;
}

/**
 * Everything that must hold of an object that takes another's place. What may not change is asked of the main resource
 * and the status: other subresources are there to change it.
 *
 * @throws StatusError 422 with every cause
 */
export function validateReplacement(
  object: KubeObject,
  old: KubeObject,
  part: UpdateRequest['part'],
  context: WriteContext,
): void {
  const errors = inContext(context, () => errorsOfReplacement(object, old, part, context));
  refuse(object, errors, context);
}

function errorsOfReplacement(
  object: KubeObject,
  old: KubeObject,
  part: UpdateRequest['part'],
  context: WriteContext,
): readonly FieldError[] {
  const { definition, stores } = context;
  const hooks = stores.hooks(definition);
  const errors = new FieldErrors();
  validateMetadata(object.metadata, definition.strategy.nameRule, definition.namespaced, errors);
  validateOwnFinalizers(object.metadata, definition, errors);
  validateMetadataUpdate(object.metadata, old.metadata, errors);
  if (definition.type.validateReplacement) definition.type.validateReplacement(object, old, part, errors);
  else {
    definition.type.validate(object, FieldPath.root, errors);
    if (part !== 'all') definition.type.validateUpdate?.(object, old, FieldPath.root, errors);
  }
  if (hooks.validateReplacement) hooks.validateReplacement(object, old, part, errors, context);
  else {
    hooks.validate?.(object, errors, context);
    hooks.validateUpdate?.(object, old, errors, context);
  }
  return errors;
}

/** Costly rules end a request's attempt on the event loop; the server's own writes have nobody to begin them anew. */
function inContext<T>({ internal }: WriteContext, validate: () => T): T {
  return internal ? patiently(validate) : validate();
}

function refuse(object: KubeObject, errors: readonly FieldError[], { definition }: WriteContext): void {
  if (errors.length > 0) throw invalid(definition, object.metadata.name ?? '', errors);
}
