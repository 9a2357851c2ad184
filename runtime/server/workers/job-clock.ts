import type { Clock } from '../../machinery/clock.ts';

/** A clock that stands still during a job, at the server's time when the job began. */
export class JobClock implements Clock {
  time = 0;

  now(): number {
    return this.time;
  }

  after(ms: number, callback: () => void): () => void {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  }
}
