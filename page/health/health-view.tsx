import type { ComponentChildren } from 'preact';
import { humanDuration } from '../app/age.ts';
import { usePolled } from '../app/polling.ts';
import { ApiError, send } from '../server/request.ts';
import { plots, sampleHealth } from './health-samples.ts';
import { SmallPlot } from './small-plot.tsx';

const samplesInterval = 2000;
const checksInterval = 5000;

interface Check {
  readonly name: string;
  readonly isOk: boolean;
}

/** How the server is: its checks, and its numbers over time. */
export function HealthView(): ComponentChildren {
  const history = usePolled(sampleHealth, samplesInterval);
  const checks = usePolled<readonly Check[]>(readChecks, checksInterval);
  const failed = checks.value?.filter(({ isOk }) => !isOk) ?? [];
  return (
    <section class="health" aria-label="Health" tabIndex={0}>
      <header class="view-head">
        <h1>Health</h1>
        {history.value && <span class="subtle">up for {humanDuration(Date.now() - history.value.startedAt)}</span>}
        <span class={`badge${failed.length > 0 || checks.problem !== '' ? ' badge-lost' : ' badge-live'}`} role="status">
          {checks.problem || (failed.length > 0 ? `${failed.length} checks fail` : `${checks.value?.length ?? 0} checks are well`)}
        </span>
      </header>
      {history.problem !== '' && <p class="empty">{history.problem}</p>}
      {history.value && (
        <div class="plots">
          {plots.map((plot) => (
            <SmallPlot key={plot.title} plot={plot} samples={history.value?.samples ?? []} />
          ))}
        </div>
      )}
      <ul class="checks" aria-label="Checks of readiness">
        {checks.value?.map(({ name, isOk }) => (
          <li key={name} class={isOk ? '' : 'failed'}>
            <span aria-hidden="true">{isOk ? '✓' : '✗'}</span> {name}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Reads /readyz, whose lines are `[+]ping ok` and `[-]etcd failed: reason withheld`. */
async function readChecks(): Promise<readonly Check[]> {
  const text = await send('/readyz?verbose', { accept: 'text/plain' })
    .then((response) => response.text())
    .catch((error: unknown) => {
      if (error instanceof ApiError && error.code === 500) return error.message;
      throw error;
    });
  return [...text.matchAll(/^\[([+-])\](\S+)/gm)].map(([, sign, name = '']) => ({ name, isOk: sign === '+' }));
}
