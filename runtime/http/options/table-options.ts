import { badRequest } from '../../machinery/errors/status.ts';
import { firstOf, type Query } from '../query-string.ts';

/** metav1.TableOptions. */
export interface TableOptions {
  /** What of its object a row holds. */
  readonly includeObject: 'None' | 'Metadata' | 'Object';
}

/** @throws StatusError 400 */
export function parseTableOptions(query: Query): TableOptions {
  const value = firstOf(query, 'includeObject') ?? '';
  if (value === '') return { includeObject: 'Metadata' };
  if (value !== 'None' && value !== 'Metadata' && value !== 'Object') {
    const quoted = JSON.stringify(value);
    throw badRequest(
      `Unable to convert to Table as requested: includeObject: Invalid value: ${quoted}: must be 'Metadata', 'Object', 'None', or empty`,
    );
  }
  return { includeObject: value };
}
