/**
 * Returns a function that calls `make` on first use. Concurrent callers share one result. After a failure, the next
 * call tries again.
 */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    if (made === undefined) {
      made = make();
      made.catch(() => {
        made = undefined;
      });
    }
    return made;
  };
}
