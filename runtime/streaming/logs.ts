import type { ApiContext } from '../http/context.ts';
import { openStream } from '../http/stream.ts';
import type { StreamWriter } from '../http/stream-writer.ts';

/** Sends a log as it comes, until it has so many bytes. (genericrest.LocationStreamer) */
export async function sendLog(
  ctx: ApiContext,
  chunks: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>,
  limitBytes = Number.POSITIVE_INFINITY,
): Promise<void> {
  let writer: StreamWriter | undefined;
  let left = limitBytes;
  for await (const chunk of chunks) {
    // an error of the first chunk is answered with a Status
    writer ??= openStream(ctx, 'text/plain');
    if (writer.closed || left <= 0) break;
    const bytes = Buffer.from(chunk).subarray(0, left);
    left -= bytes.length;
    if (!writer.write(bytes)) await writer.drained();
  }
  (writer ?? openStream(ctx, 'text/plain')).end();
}
