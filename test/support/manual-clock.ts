export { ManualClock } from '../../runtime/testkit/clock/manual-clock.ts';
