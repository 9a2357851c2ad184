/** Resolves at the first SIGTERM or SIGINT from now on. A second one ends the process at once. */
export function endSignal(): Promise<void> {
  return new Promise((resolve) => {
    let first = true;
    const onSignal = (): void => {
      if (!first) process.exit(1);
      first = false;
      resolve();
    };
    process.on('SIGTERM', onSignal);
    process.on('SIGINT', onSignal);
  });
}

/** Resolves when standard input has ended, as a pipe does when the process that holds its other end is gone, however that ended. */
export function endOfInput(): Promise<void> {
  return new Promise((resolve) => {
    process.stdin
      .once('end', resolve)
      .once('close', resolve)
      .once('error', () => resolve());
    process.stdin.resume();
  });
}
