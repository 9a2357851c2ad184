/** The message of what was thrown: an error's own, or else the value as text. */
export function messageOf(error: unknown): string {
  return error instanceof Error || hasMessage(error) ? error.message : String(error);
}

/** Errors of other realms are no instances of this realm's Error. */
function hasMessage(error: unknown): error is { readonly message: string } {
  return typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string';
}
