import type { IncomingMessage } from 'node:http';
import { messageOf } from '../../machinery/errors/message-of.ts';
import { internalError } from '../../machinery/errors/status.ts';

/** Bytes to read of a failed response. (maxReadLength) */
const maxBytes = 50_000;

/**
 * Returns the text of a response, cut to the length that an error shows. @throws StatusError 500 if the response breaks
 * off
 */
export async function responseText(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of incoming as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= maxBytes) break;
    }
  } catch (error) {
    throw internalError(messageOf(error));
  }
  return Buffer.concat(chunks).subarray(0, maxBytes).toString();
}
