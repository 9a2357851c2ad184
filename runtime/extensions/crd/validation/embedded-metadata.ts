import type { ObjectMeta } from '../../../machinery/object.ts';
import type { FieldError } from '../../../machinery/validation/field-error.ts';
import type { FieldPath } from '../../../machinery/validation/field-path.ts';
import { validateMetadata } from '../../../resources/metadata-validation.ts';

/**
 * Appends what is wrong with the metadata of an embedded resource: it has a namespace or has none, as it likes, and any
 * name that can stand in a path. (pkg/apiserver/schema/objectmeta/validation.go)
 */
export function validateEmbeddedMetadata(metadata: ObjectMeta, path: FieldPath, errors: FieldError[]): void {
  validateMetadata(metadata, 'path-segment', Boolean(metadata.namespace), errors, path);
}
