import { excerpt } from '../machinery/errors/excerpt.ts';

/**
 * Why a patch was not applied. `malformed` is the patch's own fault (400), `unprocessable` a patch that
 * does not fit the object (422), `too-large` one past a limit (413), `internal` what upstream takes for its own fault (500).
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
