import { withMaxInFlightLimit } from '../../../runtime/filters/max-in-flight.ts';
import { withPriorityAndFairness } from '../../../runtime/filters/priority-and-fairness.ts';
import { FlowControl } from '../../../runtime/flowcontrol/flow-control.ts';
import type { FlowSchema, PriorityLevelConfiguration } from '../../../runtime/flowcontrol/objects.ts';
import type { ApiMiddleware } from '../../../runtime/http/context.ts';
import { systemClock } from '../../../runtime/machinery/clock.ts';

const twoSeats = 2;

/** Holds requests until a test releases them. */
export class Gate {
  fail: Error | undefined;
  #open: (user: string) => boolean = () => false;
  #inside: { readonly user: string; readonly go: () => void }[] = [];

  get size(): number {
    return this.#inside.length;
  }

  inside(user: string): boolean {
    return this.#inside.some((one) => one.user === user);
  }

  async pass(user: string): Promise<void> {
    if (this.fail) throw this.fail;
    if (this.#open(user)) return;
    await new Promise<void>((go) => this.#inside.push({ user, go }));
  }

  letOne(user: string): void {
    const at = this.#inside.findIndex((one) => one.user === user);
    this.#inside.splice(at, 1)[0]?.go();
  }

  /** Releases executing and arriving requests, of one user or of all. */
  letAll(user?: string): void {
    this.#open = user === undefined ? () => true : (other) => other === user;
    const going = this.#inside.filter((one) => this.#open(one.user));
    this.#inside = this.#inside.filter((one) => !this.#open(one.user));
    for (const { go } of going) go();
  }
}

/** Returns one level with two seats for everyone except administrators, or max-in-flight limits. */
export function limitsFor(options: {
  readonly queueLengthLimit?: number;
  readonly plain?: { readonly readOnly: number; readonly mutating: number };
}): { readonly filter: ApiMiddleware; readonly flowControl?: FlowControl; readonly gate: Gate } {
  const gate = new Gate();
  if (options.plain) return { filter: withMaxInFlightLimit(options.plain), gate };
  const flowControl = new FlowControl({
    clock: systemClock,
    serverConcurrency: twoSeats,
    sizeOf: () => undefined,
  });
  const { queueLengthLimit = 300 } = options;
  // the level has all shares except the minimum, and lends none
  const shared: PriorityLevelConfiguration = {
    metadata: { name: 'shared', uid: 'uid-shared' },
    spec: {
      type: 'Limited',
      limited: {
        nominalConcurrencyShares: 10_000,
        lendablePercent: 0,
        borrowingLimitPercent: 0,
        limitResponse: { type: 'Queue', queuing: { queues: 64, handSize: 1, queueLengthLimit } },
      },
    },
  };
  const everybody: FlowSchema = {
    metadata: { name: 'everybody', uid: 'uid-everybody' },
    spec: {
      priorityLevelConfiguration: { name: 'shared' },
      matchingPrecedence: 500,
      distinguisherMethod: { type: 'ByUser' },
      rules: [
        {
          subjects: [{ kind: 'Group', group: { name: 'testers' } }],
          resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], namespaces: ['*'], clusterScope: true }],
        },
      ],
    },
  };
  flowControl.configure([shared], [everybody]);
  return {
    filter: withPriorityAndFairness({ flowControl, clock: systemClock, defaultWait: 15_000 }),
    flowControl,
    gate,
  };
}
