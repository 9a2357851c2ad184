import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { type Clock, systemClock } from '../../machinery/clock.ts';
import type { ProgramLog } from '../programs/program-log.ts';

/** The longest line, in characters. Longer ones are cut into several. */
const maxLine = 256 * 1024;
/** The most bytes that are read of a process in a period, and the period in milliseconds. */
const maxRead = 1024 * 1024;
const period = 100;

/** Copies lines to a log. A process that prints more than can be read waits. */
export function copyLines(stream: Readable, log: ProgramLog, clock: Clock): void {
  const decoder = new StringDecoder('utf8');
  let pending = '';
  const write = (end: number): void => {
    if (end > 0) log.write(pending.slice(0, end), clock.now());
    pending = pending.slice(end);
  };
  limitRate(stream);
  stream.on('data', (chunk: Buffer) => {
    pending += decoder.write(chunk);
    write(pending.lastIndexOf('\n') + 1);
    if (pending.length > maxLine) {
      pending += '\n';
      write(pending.length);
    }
  });
  stream.on('end', () => {
    if (pending !== '') pending += '\n';
    write(pending.length);
  });
  stream.on('error', () => undefined);
}

function limitRate(stream: Readable): void {
  let since = performance.now();
  let read = 0;
  stream.on('data', (chunk: Buffer) => {
    const now = performance.now();
    if (now - since > period) {
      since = now;
      read = 0;
    }
    read += chunk.length;
    if (read < maxRead) return;
    stream.pause();
    systemClock.after(period, () => stream.resume());
  });
}
