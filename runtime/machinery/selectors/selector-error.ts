/** A selector that cannot be parsed; the message is upstream's. */
export class SelectorError extends Error {
  readonly isSelectorError = true;
}

export function isSelectorError(error: unknown): error is SelectorError {
  return typeof error === 'object' && error !== null && (error as SelectorError).isSelectorError === true;
}
