import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type RunningServer, startServer } from 'kubeloom';
import * as bugs from '../../src/bugs/index.ts';
import { Operator } from '../../src/operator.ts';
import * as steps from '../../src/steps/index.ts';
import { Fleet, manifests } from './fleet.ts';

/** The environment of a scenario: its own server, with a clock that only the scenario advances. */
export interface Stage {
  readonly server: RunningServer;
  readonly fleet: Fleet;
  /** Starts the operator, after a previous one has stopped. Resolves when it knows all pools. */
  start(): Promise<void>;
  /** Resolves when the operator has seen all events and has no more work. */
  settled(): Promise<void>;
  /** Advances the clock, for example by `10s`. Resolves when the operator has done the work that became due. */
  pass(duration: string): Promise<void>;
}

export type Scenario = (stage: Stage) => Promise<void>;

const wrong: steps.Steps = bugs;

/** The user name of the operator. */
export const user = 'pool-operator';

/**
 * Defines two tests of one scenario: the operator passes it, and fails it with the bug of that name.
 *
 * @param finds matches the message of the failure
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
    // with a bug, stopping may never end
    void operator?.stop();
    await server.close();
  }
}
