import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { usePolled } from '../app/polling.ts';
import { ApiError, request } from '../server/request.ts';

const group = '/apis/testing.kubeloom.dev/v1alpha1';
const interval = 2000;

interface Named {
  readonly metadata: { readonly name: string };
}

interface List<T> {
  readonly items: readonly T[] | null;
}

interface Snapshot extends Named {
  readonly status?: { readonly revision?: string; readonly objects?: number };
}

interface FaultPlan extends Named {
  readonly spec: { readonly fault: object; readonly match?: object };
  readonly status?: { readonly hits?: number };
}

interface Fork extends Named {
  readonly status?: { readonly server?: string };
}

interface State {
  readonly snapshots: readonly Snapshot[];
  readonly plans: readonly FaultPlan[];
  readonly forks: readonly Fork[];
}

async function readState(): Promise<State | undefined> {
  try {
    const [snapshots, plans, forks] = await Promise.all([
      request<List<Snapshot>>(`${group}/snapshots`),
      request<List<FaultPlan>>(`${group}/faultplans`),
      request<List<Fork>>(`${group}/serverforks`),
    ]);
    return { snapshots: snapshots.items ?? [], plans: plans.items ?? [], forks: forks.items ?? [] };
  } catch (error) {
    if (error instanceof ApiError && (error.code === 404 || error.code === 403)) return undefined;
    throw error;
  }
}

/** Sends one control. */
const create = (resource: string, kind: string, spec: object, name?: string): Promise<unknown> =>
  request(`${group}/${resource}`, {
    method: 'POST',
    contentType: 'application/json',
    body: JSON.stringify({ apiVersion: 'testing.kubeloom.dev/v1alpha1', kind, metadata: name === undefined ? {} : { name }, spec }),
  });

const remove = (resource: string, name: string): Promise<unknown> =>
  request(`${group}/${resource}/${encodeURIComponent(name)}`, { method: 'DELETE' });

/** The faults that the page offers, in the form of FaultPlans. docs/faults.md has all of them. */
const faults: readonly (readonly [title: string, spec: object])[] = [
  ['The next write: 409 conflict', { match: { verbs: ['update', 'patch'] }, occurrence: { count: 1 }, fault: { status: { code: 409 } } }],
  [
    'The next write: lost acknowledgement',
    { match: { verbs: ['create', 'update', 'patch'] }, occurrence: { count: 1 }, fault: { drop: { when: 'AfterRequest' } } },
  ],
  ['All watches: close', { match: { verbs: ['watch'] }, occurrence: { count: 100 }, fault: { watch: { action: 'Close' } } }],
  ['All watches: expire (410)', { match: { verbs: ['watch'] }, occurrence: { count: 100 }, fault: { watch: { action: 'Expire' } } }],
  ['All reads: 503', { match: { verbs: ['get', 'list'] }, fault: { status: { code: 503 } } }],
];

/** Snapshots, forks, the clock and faults, on servers with test controls. */
export function Controls(): ComponentChildren {
  const state = usePolled(readState, interval);
  const said = useSignal('');
  const duration = useSignal('1m');
  const agent = useSignal('');
  const chosen = useSignal(0);
  const run = (work: Promise<unknown>, done: string): void => {
    work.then(() => (said.value = done)).catch((error: unknown) => (said.value = error instanceof Error ? error.message : String(error)));
  };
  if (state.value === undefined) {
    return <p class="subtle pad">Snapshots, forks, the clock and faults are here on servers with --test-controls, for administrators.</p>;
  }
  const { snapshots, plans, forks } = state.value;
  const newName = (prefix: string): string => `${prefix}-${Date.now().toString(36)}`;
  const addFault = (): void => {
    const [, spec] = faults[chosen.value] ?? ['', {}];
    const { match } = spec as { match: object };
    // without an agent, the page is hit, too
    const userAgents = agent.value === '' ? {} : { userAgents: [`${agent.value}*`] };
    run(create('faultplans', 'FaultPlan', { ...spec, match: { ...match, ...userAgents } }, newName('page')), 'The fault is in force.');
  };
  return (
    <section class="controls" aria-label="Test controls">
      <p role="status" class="subtle">
        {said.value}
      </p>
      <fieldset>
        <legend>Clock</legend>
        <input
          aria-label="Duration"
          value={duration.value}
          size={6}
          onInput={({ currentTarget }) => (duration.value = currentTarget.value)}
        />
        <button
          type="button"
          onClick={() =>
            run(create('clockadvances', 'ClockAdvance', { duration: duration.value }), `The clock is ${duration.value} ahead.`)
          }
        >
          Advance
        </button>
      </fieldset>
      <fieldset>
        <legend>Snapshots</legend>
        <button type="button" onClick={() => run(create('snapshots', 'Snapshot', {}, newName('page')), 'The state is kept.')}>
          Take a snapshot
        </button>
        <button type="button" onClick={() => run(create('snapshotrestores', 'SnapshotRestore', {}), 'The first state is back.')}>
          Restore the first state
        </button>
        <ul>
          {snapshots.map(({ metadata: { name }, status }) => (
            <li key={name}>
              {name} <span class="subtle">revision {status?.revision}</span>
              <button
                type="button"
                onClick={() => run(create('snapshotrestores', 'SnapshotRestore', { snapshot: name }), `${name} is back.`)}
              >
                Restore
              </button>
              <button type="button" class="quiet" onClick={() => run(remove('snapshots', name), `${name} is gone.`)}>
                Remove
              </button>
            </li>
          ))}
        </ul>
      </fieldset>
      <fieldset>
        <legend>Forks</legend>
        <button type="button" onClick={() => run(create('serverforks', 'ServerFork', {}, newName('page')), 'A fork runs.')}>
          Fork the server
        </button>
        <ul>
          {forks.map(({ metadata: { name }, status }) => (
            <li key={name}>
              {name} <code>{status?.server}</code>
              <button type="button" class="quiet" onClick={() => run(remove('serverforks', name), `${name} has ended.`)}>
                End
              </button>
            </li>
          ))}
        </ul>
      </fieldset>
      <fieldset>
        <legend>Faults</legend>
        <select aria-label="Fault" value={chosen.value} onChange={({ currentTarget }) => (chosen.value = Number(currentTarget.value))}>
          {faults.map(([title], at) => (
            <option key={title} value={at}>
              {title}
            </option>
          ))}
        </select>
        <input
          aria-label="User agent"
          placeholder="all agents, or my-operator/"
          value={agent.value}
          onInput={({ currentTarget }) => (agent.value = currentTarget.value)}
        />
        <button type="button" onClick={addFault}>
          Add the fault
        </button>
        <ul>
          {plans.map(({ metadata: { name }, spec, status }) => (
            <li key={name}>
              <code>{JSON.stringify(spec.fault)}</code> <span class="subtle">{status?.hits ?? 0} hits</span>
              <button type="button" class="quiet" onClick={() => run(remove('faultplans', name), `${name} is gone.`)}>
                Remove
              </button>
            </li>
          ))}
        </ul>
      </fieldset>
    </section>
  );
}
