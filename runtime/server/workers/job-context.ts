import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestAudit } from '../../audit/request-audit.ts';
import { parseRequest } from '../../filters/request-info.ts';
import { ApiContext } from '../../http/context.ts';
import type { Job } from './protocol.ts';

/** Returns the context of a request whose response is held for the server. */
export function contextOf(job: Job, audit: RequestAudit | undefined): ApiContext {
  const { method, url, headers, auditId, receivedAt, user, cbor, body, deadline } = job;
  const request = { method, url, headers, httpVersionMajor: 2 };
  // a held response needs only these members of the request, and none of Node's response
  const ctx = new ApiContext(request as unknown as IncomingMessage, {} as ServerResponse);
  const state = parseRequest(method, url, auditId, receivedAt);
  Object.assign(state, {
    user,
    deadline,
    cborEnabled: cbor,
    body: Buffer.from(body.buffer, body.byteOffset, body.byteLength),
    sendsResponse: 'whenAudited',
    ...(audit && { audit }),
  });
  ctx.state = state;
  return ctx;
}
