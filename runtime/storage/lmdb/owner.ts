import { readFileSync } from 'node:fs';

/** The key of the owner in the bucket `meta`. */
export const ownerKey = Buffer.from('owner');

/** The process that has a store open. */
export interface Owner {
  readonly pid: number;
  /** The start time in kernel ticks since boot; "" if unknown. */
  readonly started: string;
}

export function thisProcess(): Owner {
  return { pid: process.pid, started: startTime(process.pid) };
}

/** Whether the owner is running. The start time distinguishes it from a later process with the same pid. */
export function isRunning(owner: Owner): boolean {
  if (owner.pid === process.pid) return owner.started === startTime(process.pid);
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    // EPERM: it runs as another user
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return owner.started === startTime(owner.pid);
}

export function encodeOwner(owner: Owner): Buffer {
  return Buffer.from(JSON.stringify(owner));
}

/** Undefined if the bytes are not an owner. */
export function decodeOwner(bytes: Uint8Array): Owner | undefined {
  try {
    const value = JSON.parse(Buffer.from(bytes).toString('utf8'));
    return Number.isSafeInteger(value?.pid) && value.pid > 0 && typeof value.started === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Field 22 of /proc/PID/stat, counted from the end of the command name, which may contain spaces. */
function startTime(pid: number): string {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
