/**
 * Makes something when it is first asked for. Whoever asks while it is made waits for the same; if it cannot be made, the
 * next one tries again.
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
