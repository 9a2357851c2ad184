import type { ResourceRequest } from '../../endpoints/resource-request.ts';
import type { ApiContext } from '../../http/context.ts';
import { requireUser } from '../../http/request-state.ts';
import type { Job } from './protocol.ts';

/** Returns the job of a request. */
export function jobOf({ ctx, definition, scope, store: { collection } }: ResourceRequest, body: Uint8Array): Job {
  const { method, req, state } = ctx;
  const { auditId, receivedAt, cborEnabled: cbor } = state;
  return {
    method,
    url: req.url ?? '/',
    headers: headersOf(req.headers),
    auditId,
    receivedAt,
    cbor,
    body,
    user: requireUser(state),
    root: collection.storageKey('', '').slice(0, -`/${collection.resource.resourcePrefix}/`.length),
    ...(state.audit && { audit: { level: state.audit.level, omitManagedFields: state.audit.omitManagedFields } }),
    ...(definition.type.unstructured ? { definition: `${definition.resource}.${definition.group}` } : {}),
    now: scope.clock.now(),
    deadline: state.deadline,
  };
}

/** The headers that endpoints read. */
const sentHeaders = ['accept', 'content-type', 'user-agent'] as const;

function headersOf(headers: ApiContext['req']['headers']): Record<string, string> {
  const sent: Record<string, string> = {};
  for (const name of sentHeaders) if (headers[name] !== undefined) sent[name] = headers[name];
  return sent;
}
