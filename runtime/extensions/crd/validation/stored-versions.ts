import { type FieldError, invalid } from '../../../machinery/validation/field-error.ts';
import type { FieldPath } from '../../../machinery/validation/field-path.ts';
import type { DefinitionVersion } from './internal-spec.ts';

/** (ValidateCustomResourceDefinitionStoredVersions) */
export function validateCustomResourceDefinitionStoredVersions(
  stored: readonly string[],
  versions: readonly DefinitionVersion[],
  path: FieldPath,
  errors: FieldError[],
): void {
  if (stored.length === 0) {
    errors.push(invalid(path, stored, 'must have at least one stored version'));
    return;
  }
  const known = new Set(stored);
  for (const { name, storage } of versions) {
    if (storage && !known.has(name)) {
      errors.push(invalid(path, stored, `must have the storage version ${name}`));
    }
  }
  const left = new Map(stored.map((name, index) => [name, index]));
  for (const { name } of versions) left.delete(name);
  for (const [name, index] of left) {
    const text = `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
    errors.push(invalid(path.index(index), name, text));
  }
}
