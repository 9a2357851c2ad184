/**
 * Returns the revision from which the next watch starts. Undefined starts with a new list, because the server no longer
 * has the events after the last one (410).
 */
export function resumeFrom(last: string, error?: { readonly code?: number }): string | undefined {
  return error?.code === 410 ? undefined : last;
}
