import { excerpt } from '../machinery/errors/excerpt.ts';
import { invalid } from '../machinery/errors/status.ts';
import { withoutEventLoopBudget } from '../machinery/event-loop/budget.ts';
import { formatGroupVersion, parseGroupVersion } from '../machinery/gvk.ts';
import type { KubeObject } from '../machinery/object.ts';
import type { ResourceDefinition } from '../machinery/resource.ts';
import { Field } from '../machinery/validation/field.ts';
import type { FieldError } from '../machinery/validation/field-error.ts';
import { FieldErrors } from '../machinery/validation/field-errors.ts';
import { FieldPath } from '../machinery/validation/field-path.ts';
import {
  validateFinalizerNames,
  validateNames,
  validateObjectMeta,
  validateObjectMetaContents,
  validateObjectMetaUpdate,
} from './metadata-validation.ts';
import type { RESTStrategy, WriteContext } from './rest.ts';

/**
 * Validates a new object.
 *
 * @throws StatusError 422 with every cause
 */
export function validateCreate(strategy: RESTStrategy, object: KubeObject, context: WriteContext): void {
  const errors = inContext(context, () => createErrors(strategy, object, context));
  throwIfInvalid(object, errors, context);
}

function createErrors(strategy: RESTStrategy, object: KubeObject, context: WriteContext): readonly FieldError[] {
  const errors = new FieldErrors(context.stores.rules);
  const root = Field.at(FieldPath.root, errors);
  const { metadataValidatedLast } = context.definition.writeRules;
  strategy.validateFirst?.(object, errors, context);
  if (!metadataValidatedLast && hasItsKind(object, context)) validateMetadata(object, root, context);
  context.definition.type.validate(object, root);
  strategy.validate?.(object, errors, context);
  strategy.validateCreate?.(object, errors, context);
  if (metadataValidatedLast && errors.length === 0) validateMetadata(object, root, context);
  return errors;
}

/**
 * Validates an object that replaces `old`. Immutable fields are only checked on writes to the main resource and to the
 * status, because other subresources exist to change them.
 *
 * @throws StatusError 422 with every cause
 */
export function validateUpdate(strategy: RESTStrategy, object: KubeObject, old: KubeObject, context: WriteContext): void {
  const errors = inContext(context, () => updateErrors(strategy, object, old, context));
  throwIfInvalid(object, errors, context);
}

function updateErrors(strategy: RESTStrategy, object: KubeObject, old: KubeObject, context: WriteContext): readonly FieldError[] {
  const { definition, part } = context;
  const { type } = definition;
  const errors = new FieldErrors(context.stores.rules);
  const root = Field.at(FieldPath.root, errors);
  validateMetadataUpdate(object, old, root, context);
  if (type.validateReplacement) type.validateReplacement(object, old, part, { errors, warn: context.warn });
  else {
    type.validate(object, root);
    if (part !== 'all') type.validateUpdate?.(object, old, root);
  }
  if (strategy.validateReplacement) strategy.validateReplacement(object, old, errors, context);
  else {
    strategy.validate?.(object, errors, context);
    strategy.validateUpdate?.(object, old, errors, context);
  }
  return errors;
}

/**
 * Reports whether an object has its definition's kind and version. Unstructured types accept others until here, and
 * then report only this error. (apiextensions-apiserver pkg/registry/customresource/validator.go)
 */
const hasItsKind = ({ kind, apiVersion }: KubeObject, { definition }: WriteContext): boolean =>
  !definition.type.unstructured || (kind === definition.kind && apiVersion === formatGroupVersion(definition));

/**
 * Validates changed metadata: all kinds in the same way first, and then the names as on creation. As in upstream, an
 * unstructured object reports metadata errors three times, and immutable fields twice. (apiserver pkg/registry/rest/update.go
 * BeforeUpdate, ValidateUpdate of customresource/validator.go)
 */
function validateMetadataUpdate(object: KubeObject, old: KubeObject, root: Field, context: WriteContext): void {
  const field = root.child('metadata');
  const { writeRules, namespaced, type } = context.definition;
  const { unstructured } = type;
  validateObjectMeta(object.metadata, { nameRule: 'path-segment', namespaced }, field);
  validateObjectMetaUpdate(object.metadata, old.metadata, field);
  validateFinalizerNames(object.metadata, context.definition, field);
  const uncheckedName = unstructured || context.part === 'status' || writeRules.nameUncheckedOnUpdate;
  if (!uncheckedName) validateNames(object.metadata, writeRules.nameRule, field);
  if (!unstructured || root.errors.length === 0) return;
  validateObjectMetaContents(object.metadata, field);
  if (!hasItsKind(object, context)) return;
  validateObjectMetaUpdate(object.metadata, old.metadata, field);
  validateObjectMetaContents(object.metadata, field);
}

function validateMetadata({ metadata }: KubeObject, root: Field, { definition }: WriteContext): void {
  const field = root.child('metadata');
  validateObjectMeta(metadata, { nameRule: definition.writeRules.nameRule, namespaced: definition.namespaced }, field);
  validateFinalizerNames(metadata, definition, field);
}

/**
 * Validates an object by its type alone, before a group's hook gets it. The validation after the hook adds the
 * warnings.
 *
 * @param old undefined on creation
 * @throws StatusError 422 with every cause
 */
export function validateBeforeHooks(object: KubeObject, old: KubeObject | undefined, context: WriteContext): void {
  const { definition, part } = context;
  const errors = inContext(context, () => {
    const found = new FieldErrors(context.stores.rules);
    if (old !== undefined && definition.type.validateReplacement)
      definition.type.validateReplacement(object, old, part, { errors: found, warn: () => undefined });
    else definition.type.validate(object, Field.at(FieldPath.root, found));
    return found;
  });
  throwIfInvalid(object, errors, context);
}

/**
 * Adds the strategy's warnings about a valid object to the response. (WarningsOnCreate, WarningsOnUpdate)
 *
 * @param old undefined on creation
 */
export function addWarnings({ warnings }: RESTStrategy, object: KubeObject, old: KubeObject | undefined, context: WriteContext): void {
  if (warnings === undefined) return;
  for (const text of warnings(object, old, context)) context.warn(text);
}

/**
 * Costly rules abort a request on the event loop, and a worker thread repeats it. The server's own writes have no such
 * limit.
 */
function inContext<T>({ internal }: WriteContext, validate: () => T): T {
  return internal ? withoutEventLoopBudget(validate) : validate();
}

function throwIfInvalid(object: KubeObject, errors: readonly FieldError[], { definition }: WriteContext): void {
  if (errors.length === 0) return;
  const named = definition.type.unstructured ? kindOf(object, definition) : storedKind(definition);
  throw invalid(named, object.metadata.name ?? '', errors);
}

/** A kind of two groups has the group in which it is stored, as in upstream. (scheme.ObjectKinds) */
const storedKind = ({ group, storageGroup = group, kind }: ResourceDefinition): { group: string; kind: string } => ({
  group: storageGroup,
  kind,
});

/** Returns the kind that the object states. */
function kindOf({ kind = '', apiVersion = '' }: KubeObject, { group }: ResourceDefinition): { group: string; kind: string } {
  return { group: parseGroupVersion(apiVersion)?.group ?? group, kind: excerpt(kind) };
}
