/** The reasons of a reset. (SPDY/3 2.6.3) */
export const statusCodes = {
  protocolError: 1,
  invalidStream: 2,
  refusedStream: 3,
  unsupportedVersion: 4,
  cancel: 5,
  internalError: 6,
  flowControlError: 7,
  streamInUse: 8,
  streamAlreadyClosed: 9,
  frameTooLarge: 11,
} as const;

export type SpdyStatus = keyof typeof statusCodes;

/** An error that ends a stream or, if the connection's bytes are invalid, the connection. */
export class SpdyError extends Error {
  readonly status: SpdyStatus;

  constructor(status: SpdyStatus, message: string) {
    super(message);
    this.name = 'SpdyError';
    this.status = status;
  }
}
