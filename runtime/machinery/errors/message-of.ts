/** Returns the message of a thrown value: an error's message, otherwise the value as text. */
export function messageOf(error: unknown): string {
  return error instanceof Error || hasMessage(error) ? error.message : String(error);
}

/** Recognizes errors of other realms, which are no instances of this realm's Error. */
function hasMessage(error: unknown): error is { readonly message: string } {
  return typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string';
}
