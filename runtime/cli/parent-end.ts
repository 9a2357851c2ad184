/** Milliseconds between two checks whether the parent still runs. */
const intervalMs = 500;

/** Resolves when the process that started this one has ended, in whatever way. Its children then have another parent. */
export function endOfParent(parent = process.ppid): Promise<void> {
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      if (isRunning(parent)) return;
      clearInterval(timer);
      resolve();
    }, intervalMs);
    timer.unref();
  });
}

/** Windows never changes the parent of a process. */
const isRunning = (parent: number): boolean => (process.platform === 'win32' ? isAlive(parent) : process.ppid === parent);

/** Reports whether a process has the ID. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
