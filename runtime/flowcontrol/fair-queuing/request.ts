import type { Linked } from '../../machinery/linked-list.ts';
import type { UserInfo } from '../../machinery/user-info.ts';
import type { Flow } from '../classification/flow.ts';
import type { RequestDigest } from '../request-digest.ts';
import type { Queue } from './queue.ts';
import { guessedDuration, seatSeconds, type WorkEstimate } from './work.ts';

/** Why a request was not let in. The values are those of the metric's label. */
export type Refusal = 'queue-full' | 'concurrency-limit' | 'time-out' | 'cancelled';

/** Lingering: answered, its final seats still taken. */
export type Phase = 'new' | 'waiting' | 'executing' | 'lingering' | 'done' | 'refused';

/** One request on its way through a queue set. Made once, changed in place: this is all that an uncontended request costs. */
export class SeatRequest implements Linked<SeatRequest> {
  readonly digest: RequestDigest;
  readonly user: UserInfo;
  readonly flow: Flow;
  readonly initialSeats: number;
  finalSeats: number;
  additionalLatency: number;
  /** The most seats it takes at once, which is what it holds from beginning to end. */
  seats: number;
  readonly finalWork: number;
  readonly totalWork: number;
  phase: Phase = 'new';
  refusal: Refusal | undefined;
  /** Absent where the level has no queues. */
  queue: Queue | undefined;
  /** By the clock of the queue set. */
  arrivedAt = 0;
  startedAt = 0;
  /** R(arrival): the progress meter when it came. */
  arrivalR = 0;
  /** Those that wait in one queue, those that are executed from it, or those that have none. */
  list: object | undefined;
  previous: SeatRequest | undefined;
  next: SeatRequest | undefined;
  /** Called once when it leaves its queue to be executed. */
  onDispatch: (() => void) | undefined;

  constructor(digest: RequestDigest, user: UserInfo, flow: Flow, work: WorkEstimate) {
    const { initialSeats, finalSeats, additionalLatency } = work;
    this.digest = digest;
    this.user = user;
    this.flow = flow;
    this.initialSeats = initialSeats;
    this.finalSeats = finalSeats;
    this.additionalLatency = additionalLatency;
    this.seats = Math.max(initialSeats, finalSeats);
    this.finalWork = finalSeats === 0 ? 0 : seatSeconds(finalSeats, additionalLatency);
    this.totalWork = seatSeconds(initialSeats, guessedDuration) + this.finalWork;
  }
}
