import type { WriteOptions } from '../http/options/write-options.ts';
import { respondBytes } from '../http/respond.ts';
import type { UserInfo } from '../machinery/user-info.ts';
import { managerOfRequest } from '../patch/managed-fields/request-manager.ts';
import type { WriteResult, Writer } from '../resources/rest.ts';
import { viewOf } from '../resources/views.ts';
import type { ResponseEncoding } from './encodings/response-encoding.ts';
import type { ResourceRequest } from './resource-request.ts';

/** Sends an object after a write; a dry run's is sent as it would have been stored. */
export async function respondWritten(
  { ctx, definition }: ResourceRequest,
  code: number,
  encoding: ResponseEncoding,
  written: WriteResult,
): Promise<void> {
  const bytes =
    written.kind === 'stored'
      ? encoding.encodeStored(await viewOf(definition, written.stored))
      : encoding.encode(written.object);
  await respondBytes(ctx, code, encoding.contentType, bytes);
}

/** Who writes, for the resource's rules. With `options` of a write, what it changes is theirs. */
export function writerOf({ ctx }: ResourceRequest, dryRun: boolean, options?: WriteOptions): Writer {
  const fieldManager = options && managerOfRequest(options.fieldManager, ctx.req.headers['user-agent']);
  return {
    fieldManager,
    user: ctx.state.user as UserInfo,
    dryRun,
    warn: (text) => ctx.state.addWarnings(text),
  };
}
