import { signal } from '@preact/signals';
import type { Activity } from '../../runtime/page/activity.ts';
import { ApiError } from '../server/request.ts';
import { sessionKey } from '../server/session.ts';
import { Timeline } from './timeline.ts';

/** Milliseconds between two questions to the server. */
const interval = 1000;

/** The timeline of a server, which grows while it is shown. */
export class TimelineSource {
  readonly timeline = new Timeline();
  /** Increases with each change. */
  readonly version = signal(0);
  readonly problem = signal('');
  readonly isPaused = signal(false);
  readonly #timer: ReturnType<typeof setInterval>;
  #isAsking = false;

  constructor() {
    void this.#ask();
    this.#timer = setInterval(() => !document.hidden && !this.isPaused.value && void this.#ask(), interval);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  clear(): void {
    this.timeline.clear();
    this.version.value += 1;
  }

  async #ask(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    try {
      const response = await fetch(`/ui/server/ui/activity?since=${this.timeline.sequence}`, {
        headers: { 'X-Kubeloom-Page': sessionKey },
      });
      if (!response.ok) throw new ApiError(response.status, await response.json());
      const isNew = this.timeline.add((await response.json()) as Activity);
      this.problem.value = '';
      if (isNew) this.version.value += 1;
    } catch (error) {
      this.problem.value = error instanceof Error ? error.message : String(error);
    } finally {
      this.#isAsking = false;
    }
  }
}
