/** A folder that cannot be written; shown as one line. */
export class OutputError extends Error {
  override readonly name = 'OutputError';
}
