import type { ApiContext } from '../http/context.ts';
import { respondBytes } from '../http/respond.ts';
import type { WriteResult } from '../resources/rest.ts';
import { viewOf } from '../resources/views.ts';
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

/** Passes the result of a write on to the filters. */
export function noteWritten({ state }: ApiContext, result: WriteResult): void {
  if (result.kind === 'stored') state.written = result.stored;
}
