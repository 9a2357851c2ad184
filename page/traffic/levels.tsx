import type { ComponentChildren } from 'preact';
import type { Level } from './flow-control.ts';

export interface LevelsProps {
  readonly levels: readonly Level[];
}

/** The priority levels: seats in use, seats that they may use, queues and rejections. */
export function Levels({ levels }: LevelsProps): ComponentChildren {
  const widest = Math.max(1, ...levels.map(({ limit, nominal, seats }) => Math.max(limit, nominal, seats)));
  return (
    <ul class="levels" aria-label="Priority levels">
      {levels.map((level) => (
        <li key={level.name}>
          <div class="level-name">
            <strong>{level.name}</strong>
            <span class="subtle">{borrowing(level)}</span>
          </div>
          <div
            class="seats"
            role="meter"
            aria-label={`Seats of ${level.name}`}
            aria-valuemin={0}
            aria-valuemax={level.limit}
            aria-valuenow={level.seats}
          >
            <span class="seats-limit" style={{ width: `${(level.limit / widest) * 100}%` }} />
            <span class="seats-used" style={{ width: `${(level.seats / widest) * 100}%` }} />
            <span class="seats-nominal" style={{ left: `${(level.nominal / widest) * 100}%` }} title={`nominal: ${level.nominal}`} />
          </div>
          <dl>
            <Figure name="seats" value={level.limit === 0 ? String(level.seats) : `${level.seats} / ${level.limit}`} />
            <Figure name="waiting" value={String(level.waiting)} isBad={level.waiting > 0} />
            <Figure name="a second" value={level.dispatchRate.toFixed(1)} />
            <Figure name="rejected" value={String(level.rejected)} isBad={level.rejectRate > 0} />
          </dl>
          {level.queues.length > 0 && <Queues level={level} />}
        </li>
      ))}
    </ul>
  );
}

function borrowing({ limit, nominal }: Level): string {
  if (limit > nominal) return nominal === 0 ? '' : `borrows ${limit - nominal}`;
  return limit < nominal ? `lends ${nominal - limit}` : '';
}

interface FigureProps {
  readonly name: string;
  readonly value: string;
  readonly isBad?: boolean;
}

const Figure = ({ name, value, isBad = false }: FigureProps): ComponentChildren => (
  <div>
    <dt>{name}</dt>
    <dd class={isBad ? 'tone-bad' : ''}>{value}</dd>
  </div>
);

/** A cell for each queue, as full as it has requests. */
function Queues({ level }: { readonly level: Level }): ComponentChildren {
  const busy = level.queues.filter(({ waiting, seats }) => waiting + seats > 0);
  const fullest = Math.max(1, ...level.queues.map(({ waiting }) => waiting));
  return (
    <div class="queues">
      <div class="queue-cells" role="img" aria-label={`${level.queues.length} queues, ${busy.length} busy`}>
        {level.queues.map(({ index, waiting, seats, flows }) => (
          <span key={index} class={seats > 0 ? 'busy' : ''} title={`queue ${index}: ${waiting} wait, ${seats} seats. ${flows.join(', ')}`}>
            <i style={{ height: `${(waiting / fullest) * 100}%` }} />
          </span>
        ))}
      </div>
      {busy.slice(0, 6).map(({ index, waiting, flows }) => (
        <span key={index} class="subtle">
          {flows.join(', ') || `queue ${index}`}: {waiting} wait
        </span>
      ))}
    </div>
  );
}
