import type { Clock } from '../clock.ts';

const longest = 30_000;

/** Fails a request without a response after half a minute. */
export async function limitTime<T>(clock: Clock, request: Promise<T>): Promise<T> {
  let cancel = (): void => {};
  const late = new Promise<never>((_, reject) => {
    cancel = clock.after(longest, () => reject(new Error('there is no answer')));
  });
  try {
    return await Promise.race([request, late]);
  } finally {
    cancel();
  }
}
