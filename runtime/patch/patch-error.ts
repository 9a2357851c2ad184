import { excerpt } from '../machinery/errors/excerpt.ts';

/**
 * The reason why a patch was not applied: it is `malformed` (400), does not match the object (`unprocessable`, 422),
 * exceeds a limit (`too-large`, 413), or fails with upstream's internal error (`internal`, 500).
 */
export type PatchErrorKind = 'malformed' | 'unprocessable' | 'too-large' | 'internal';

export class PatchError extends Error {
  readonly isPatchError = true;
  readonly kind: PatchErrorKind;

  constructor(kind: PatchErrorKind, message: string) {
    super(excerpt(message));
    this.kind = kind;
  }
}

export function isPatchError(error: unknown): error is PatchError {
  return typeof error === 'object' && error !== null && (error as PatchError).isPatchError === true;
}
