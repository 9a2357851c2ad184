import type { ClientHttp2Session } from 'node:http2';
import { Call, type CallOptions } from './call.ts';
import { deadlineExceeded, GRPCError } from './grpc-status.ts';

export interface UnaryCall extends Pick<CallOptions, 'method' | 'metadata' | 'maxMessage'> {
  readonly request: Uint8Array;
  /** Milliseconds. */
  readonly timeout: number;
}

/** Sends one message, and returns the response message. Throws GRPCError. */
export function callUnary(session: ClientHttp2Session, call: UnaryCall): Promise<Buffer> {
  const { request, timeout, ...options } = call;
  return new Promise((resolve, reject) => {
    let response: Buffer | undefined;
    let count = 0;
    const running = new Call(session, {
      ...options,
      onMessage(message) {
        response = message;
        count += 1;
      },
      onEnd(error) {
        clearTimeout(timer);
        if (error !== undefined) reject(error);
        else if (response === undefined || count > 1) {
          reject(new GRPCError('Internal', 'the response is not one message'));
        } else resolve(response);
      },
    });
    const timer = setTimeout(() => running.cancel(deadlineExceeded()), timeout);
    running.sendLast(request);
  });
}
