/** Resolves at the first SIGTERM or SIGINT after the call. The next signal ends the process at once. */
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

/** Resolves when standard input ends: a pipe ends when the process at its other end has gone for any reason. */
export function endOfInput(): Promise<void> {
  return new Promise((resolve) => {
    process.stdin
      .once('end', resolve)
      .once('close', resolve)
      .once('error', () => resolve());
    process.stdin.resume();
  });
}
