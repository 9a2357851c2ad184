import { readdirSync, readFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/** The run time of each thread of a process. Ended threads still count. */
const threadTimes = new Map<number, Map<string, number>>();

/** Returns the milliseconds that all threads of a process have run, and that its main thread waited for a processor. */
export function processorTime(pid: number): { readonly ran: number; readonly keptWaiting: number } {
  const times = threadTimes.get(pid) ?? new Map<string, number>();
  threadTimes.set(pid, times);
  for (const thread of threadsOf(pid)) {
    times.set(thread, Math.max(times.get(thread) ?? 0, schedule(`/proc/${pid}/task/${thread}`)[0]));
  }
  let ran = 0;
  for (const time of times.values()) ran += time;
  return { ran, keptWaiting: schedule(`/proc/${pid}`)[1] };
}

/** Returns the milliseconds that the event loop's thread has run. */
export const mainThreadRan = (pid: number): number => schedule(`/proc/${pid}/task/${pid}`)[0];

function schedule(folder: string): number[] {
  try {
    return readFileSync(`${folder}/schedstat`, 'utf8')
      .split(' ')
      .map((nanoseconds) => Number(nanoseconds) / 1e6);
  } catch {
    // the thread has ended
    return [0, 0];
  }
}

/** Raises a process's priority above everything that is not measured, if this process runs as root. */
export function prefer(pid: number): void {
  try {
    for (const thread of threadsOf(pid)) setPriority(Number(thread), constants.priority.PRIORITY_HIGH);
  } catch {
    // without the permission, other work on the machine affects the numbers
  }
}

const threadsOf = (pid: number): string[] => readdirSync(`/proc/${pid}/task`);
