import type { DeleteOptions } from '../../machinery/delete-options.ts';
import { defined } from '../../machinery/json/defined.ts';
import { boolParameter, int64Parameter } from '../parameters.ts';
import { type Query, queryValue } from '../query-string.ts';
import { decodeParameters } from './validation.ts';

/** Parses the delete options of a request without a body. @throws StatusError 400 */
export function parseDeleteOptions(query: Query): DeleteOptions {
  if (query.size === 0) return {};
  return decodeParameters(() => {
    const gracePeriodSeconds = int64Parameter(query, 'gracePeriodSeconds');
    const orphanDependents = boolParameter(query, 'orphanDependents');
    const propagationPolicy = queryValue(query, 'propagationPolicy');
    const dryRun = query.get('dryRun');
    const ignore = boolParameter(query, 'ignoreStoreReadErrorWithClusterBreakingPotential');
    const uid = queryValue(query, 'uid');
    const resourceVersion = queryValue(query, 'resourceVersion');
    const preconditions = { ...(uid ? { uid } : {}), ...(resourceVersion ? { resourceVersion } : {}) };
    return {
      ...defined({
        gracePeriodSeconds,
        orphanDependents,
        propagationPolicy,
        dryRun,
        ignoreStoreReadErrorWithClusterBreakingPotential: ignore,
      }),
      ...(uid || resourceVersion ? { preconditions } : {}),
    };
  });
}
