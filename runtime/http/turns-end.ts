let all: (() => void)[] = [];

/** Runs `work` when the event loop has turned: after every request that came together, in the order of the asking. */
export function atTurnsEnd(work: () => void): void {
  if (all.push(work) === 1) setImmediate(runAll);
}

function runAll(): void {
  const works = all;
  all = [];
  for (const work of works) work();
}
