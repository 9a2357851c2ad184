import { respondBytes } from '../../http/respond.ts';
import type { Status } from '../../machinery/status.ts';
import type { ResourceRequest } from '../dispatch.ts';
import { encodeStatus } from '../encode-status.ts';

/** Answers with a Status that says nothing but that it worked. */
export async function respondSuccess(request: ResourceRequest, code: number): Promise<void> {
  const status: Status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code };
  const { bytes, contentType } = await encodeStatus(request, status);
  await respondBytes(request.ctx, code, contentType, bytes);
}
