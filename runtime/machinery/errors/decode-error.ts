/** A body that cannot be decoded. Becomes a 400 BadRequest. */
export class DecodeError extends Error {
  readonly isDecodeError = true;
  /** True if the body's kind is known: the body can be read, but not decoded. */
  readonly isAfterKind: boolean;

  constructor(message?: string, isAfterKind = false) {
    super(message);
    this.isAfterKind = isAfterKind;
  }
}

export function isDecodeError(error: unknown): error is DecodeError {
  return typeof error === 'object' && error !== null && (error as DecodeError).isDecodeError === true;
}
