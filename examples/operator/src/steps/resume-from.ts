/**
 * Where the next watch begins, after one has ended. undefined: with a new list, since the server does not remember (410) what came
 * after the last event.
 */
export function resumeFrom(last: string, error?: { readonly code?: number }): string | undefined {
  return error?.code === 410 ? undefined : last;
}
