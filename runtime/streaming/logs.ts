import type { ApiContext } from '../http/context.ts';
import { openByteStream } from '../http/message-stream.ts';
import type { StreamWriter } from '../http/stream-writer.ts';
import { TimeSlice } from '../machinery/event-loop/yield.ts';

/** Streams a log, up to a number of bytes, over WebSocket if the client requests it. (genericrest.LocationStreamer) */
export async function sendLog(
  ctx: ApiContext,
  chunks: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>,
  limitBytes = Number.POSITIVE_INFINITY,
): Promise<void> {
  let writer: StreamWriter | undefined;
  let left = limitBytes;
  const slice = new TimeSlice();
  for await (const chunk of chunks) {
    // an error before the first chunk becomes a Status
    writer ??= await openByteStream(ctx, 'text/plain');
    if (writer === undefined) return;
    if (writer.closed || left <= 0) break;
    const bytes = Buffer.from(chunk).subarray(0, left);
    left -= bytes.length;
    if (!writer.write(bytes)) await writer.drained();
    else if (slice.isOver) await slice.next();
  }
  writer ??= await openByteStream(ctx, 'text/plain');
  writer?.end();
}
