import { badRequest } from '../../machinery/errors/status.ts';
import { boolParameter } from '../parameters.ts';
import { firstOf, type Query } from '../query-string.ts';

/** metav1.GetOptions. */
export interface GetOptions {
  /** "" when absent. */
  readonly resourceVersion: string;
}

/** @throws StatusError 400 */
export function parseGetOptions(query: Query): GetOptions {
  if (boolParameter(query, 'export')) {
    throw badRequest('the export parameter, deprecated since v1.14, is no longer supported');
  }
  return { resourceVersion: firstOf(query, 'resourceVersion') ?? '' };
}
