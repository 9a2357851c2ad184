import type { ApiContext } from '../http/context.ts';
import type { WriteOptions } from '../http/options/write-options.ts';
import { respondBytes } from '../http/respond.ts';
import type { UserInfo } from '../machinery/user-info.ts';
import { managerOrUserAgent } from '../patch/managed-fields/manager-or-user-agent.ts';
import type { WriteResult, Writer } from '../resources/rest.ts';
import { viewOf } from '../resources/views.ts';
import { admissionOf } from './admission.ts';
import type { ResponseEncoding } from './encodings/response-encoding.ts';
import type { ResourceRequest } from './resource-request.ts';

/** Sends the object of a write. After a dry run, this is the object that would have been stored. */
export async function respondWithResult(
  { ctx, definition }: ResourceRequest,
  code: number,
  encoding: ResponseEncoding,
  result: WriteResult,
): Promise<void> {
  noteWritten(ctx, result);
  const bytes = result.kind === 'stored' ? encoding.encodeStored(await viewOf(definition, result.stored)) : encoding.encode(result.object);
  await respondBytes(ctx, code, encoding.contentType, bytes);
}

/** Lets filters know what was stored. */
export function noteWritten({ state }: ApiContext, result: WriteResult): void {
  if (result.kind === 'stored') state.written = result.stored;
}

/** Returns who writes. With the options of a write, the writer becomes the field manager of what it changes. */
export function writerOf(request: ResourceRequest, dryRun: boolean, options?: WriteOptions): Writer {
  const { ctx } = request;
  const fieldManager = options && managerOrUserAgent(options.fieldManager, ctx.req.headers['user-agent']);
  return {
    fieldManager,
    user: ctx.state.user as UserInfo,
    dryRun,
    admission: admissionOf(request, dryRun),
    warn: (text) => ctx.state.addWarnings(text),
  };
}
