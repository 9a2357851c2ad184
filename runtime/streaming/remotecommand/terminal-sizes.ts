import type { Readable } from 'node:stream';
import type { TerminalSize } from '../pod-handlers.ts';

/** The maximum length of one size. No real size is as long. */
const maxLength = 1024;
/** The maximum bytes in one chunk. */
const maxChunk = 64 * 1024;

/** Reads a client's terminal sizes, JSON objects such as `{"Width":80,"Height":24}`, until the first invalid one. */
export function readSizes(stream: Readable | undefined, onSize: (size: TerminalSize) => void): void {
  let pending = '';
  stream?.on('data', (chunk: Buffer) => {
    if (chunk.length > maxChunk) {
      stream.destroy();
      return;
    }
    pending += chunk.toString();
    for (let end = pending.indexOf('}'); end >= 0; end = pending.indexOf('}')) {
      const size = parse(pending.slice(0, end + 1));
      if (size === undefined) {
        stream.destroy();
        return;
      }
      pending = pending.slice(end + 1);
      onSize(size);
    }
    if (pending.length > maxLength) stream.destroy();
  });
}

function parse(text: string): TerminalSize | undefined {
  try {
    const value = JSON.parse(text) as { Width?: unknown; Height?: unknown };
    return { width: Number(value.Width ?? 0), height: Number(value.Height ?? 0) };
  } catch {
    return undefined;
  }
}
