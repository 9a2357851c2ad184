import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type RunningServer, startServer } from 'kubeloom';
import * as bugs from '../../src/bugs/index.ts';
import { Operator } from '../../src/operator.ts';
import * as steps from '../../src/steps/index.ts';
import { Fleet, manifests } from './fleet.ts';

/** What a scenario is played on: a server of its own, with a clock that only the scenario advances. */
export interface Stage {
  readonly server: RunningServer;
  readonly fleet: Fleet;
  /** Starts the operator, after the one before it has stopped. Resolves when it knows all pools. */
  start(): Promise<void>;
  /** Resolves when the operator has heard of everything, and has nothing more to do. */
  settled(): Promise<void>;
  /** Lets time pass, for example `10s`, until the operator has done what it is time for. */
  pass(duration: string): Promise<void>;
}

export type Scenario = (stage: Stage) => Promise<void>;

const wrong: steps.Steps = bugs;

/** Who the operator is. */
export const user = 'pool-operator';

/**
 * Two tests of one scenario: the operator passes it, and fails it with the bug of that name.
 *
 * @param finds what the failure says
 */
export function scenario(title: string, bug: keyof steps.Steps, finds: RegExp, play: Scenario): void {
  test(title, () => perform(play, steps));
  test(`finds the bug ${bug}: ${title}`, () =>
    assert.rejects(perform(play, { ...steps, [bug]: wrong[bug] }), { message: finds }));
}

let prepared: RunningServer;

before(async () => {
  prepared = await startServer({ fixtures: manifests, clock: 'manual', testControls: true });
});
after(() => prepared?.close());

async function perform(play: Scenario, steps: steps.Steps): Promise<void> {
  const server = await prepared.fork();
  const fleet = new Fleet(server);
  let operator: Operator | undefined;
  const start = async (): Promise<void> => {
    await operator?.stop();
    operator = new Operator(fleet.configOf(user), { clock: server.clock, steps });
    await operator.start();
  };
  const settled = (): Promise<void> => server.settled({ controllers: [user] });
  const pass = async (duration: string): Promise<void> => {
    await server.clock.advance(duration);
    await settled();
  };
  try {
    await play({ server, fleet, start, settled, pass });
  } finally {
    // with a bug, it may never end what it is doing
    void operator?.stop();
    await server.close();
  }
}
