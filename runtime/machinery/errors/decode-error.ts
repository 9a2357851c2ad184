/** A body that cannot be decoded. Becomes a 400 BadRequest. */
export class DecodeError extends Error {
  readonly isDecodeError = true;
}

export function isDecodeError(error: unknown): error is DecodeError {
  return typeof error === 'object' && error !== null && (error as DecodeError).isDecodeError === true;
}
