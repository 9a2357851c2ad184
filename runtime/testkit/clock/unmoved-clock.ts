import type { Clock } from '../../machinery/clock.ts';
import type { ServerClock } from '../../machinery/server-clock.ts';
import { UnavailableControlError } from '../unavailable-control.ts';

/** Returns a server clock that cannot be advanced. */
export const unmovedClock = (clock: Clock): ServerClock => ({
  isManual: false,
  now: () => clock.now(),
  after: (ms, callback) => clock.after(ms, callback),
  async advance() {
    throw new UnavailableControlError("only the clock of a server that was started with clock: 'manual' can be advanced");
  },
});
