import type { Assertions } from '../assertions.ts';
import type { ServerClock } from '../clock/server-clock.ts';

/** What the objects of testing.kubeloom.dev steer and see of their server, which is what a test in its process does. */
export interface TestControls extends Pick<Assertions, 'requests' | 'settled'> {
  readonly clock: ServerClock;
}
