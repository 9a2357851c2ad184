let all: (() => void)[] = [];

/** Runs `work` when the event loop has turned: after every request that came together, in the order of the asking. */
export function atTurnsEnd(work: () => void): void {
  if (all.push(work) === 1) setImmediate(runAll);
}

/** What calls `handle` at the turn's end with every subject that it was given, in their order. */
export function eachAtTurnsEnd<T>(handle: (subject: T) => void): (subject: T) => void {
  let given: T[] = [];
  const handleAll = (): void => {
    const subjects = given;
    given = [];
    for (const subject of subjects) handle(subject);
  };
  return (subject) => {
    if (given.push(subject) === 1) atTurnsEnd(handleAll);
  };
}

function runAll(): void {
  const works = all;
  all = [];
  for (const work of works) work();
}
