/** Once the server has forgotten that revision, each watch ends at once, and the cache stays as it is for ever. */
export function resumeFrom(last: string): string | undefined {
  return last;
}
