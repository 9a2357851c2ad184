import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { useKeys } from '../app/keys.ts';
import { partOf, route, setQuery } from '../app/route.ts';
import { countKey, counts } from '../server/counts.ts';
import { groups, type Resource, resourceOf } from '../server/discovery.ts';
import { objectOf } from '../timeline/timeline.ts';
import { TimelineSource } from '../timeline/timeline-source.ts';
import { Controls } from './controls.tsx';
import { PastObject } from './past-object.tsx';
import { type PastRow, type PastTable, tableAt } from './table-at.ts';

/** Milliseconds for which the slider rests before a table is read. */
const rest = 60;

/** Any table and object as it was at a revision, and the controls of tests. */
export function TimeView(): ComponentChildren {
  const source = useMemo(() => new TimelineSource(), []);
  useEffect(() => () => source.close(), [source]);
  void source.version.value;
  const { query } = route.value;
  const [group, name] = (query.get('of') ?? '-/pods').split('/', 2);
  const resource = resourceOf(partOf(group), name ?? '');
  const writes = source.timeline.writes();
  const newest = writes.at(-1)?.change.revision ?? 1;
  const asked = Number(query.get('revision') ?? 0);
  const revision = asked > 0 ? Math.min(asked, newest) : newest;
  const write = writes.findLast(({ change }) => change.revision <= revision);
  const opened = useSignal<PastRow | undefined>(undefined);
  const go = (to: number): void => setQuery({ revision: to >= newest ? '' : String(Math.max(1, to)) });
  const ofKind = writes.filter(({ change }) => resource === undefined || change.kind === resource.kind);
  const earlier = (): void => go(ofKind.findLast(({ change }) => change.revision < revision)?.change.revision ?? 1);
  const later = (): void => go(ofKind.find(({ change }) => change.revision > revision)?.change.revision ?? newest);
  useKeys(
    [
      { keys: 'ArrowLeft, [', about: 'The change before', run: earlier },
      { keys: 'ArrowRight, ]', about: 'The change after', run: later },
      { keys: '0', about: 'Now', run: () => go(newest) },
    ],
    [revision, newest, writes],
  );
  return (
    <section class={`time${opened.value === undefined ? '' : ' with-details'}`} aria-label="Time">
      <div class="time-main" tabIndex={0} role="region" aria-label="The state at a revision">
        <header class="view-head">
          <h1>{asked > 0 && revision < newest ? `Revision ${revision}` : `Now, revision ${newest}`}</h1>
          {write && (
            <span class="subtle">
              {new Date(write.change.time).toLocaleTimeString()}: {write.client} {write.change.type} {objectOf(write.change)}
            </span>
          )}
        </header>
        <div class="slider">
          <button type="button" onClick={earlier} aria-label="The change before">
            ‹
          </button>
          <input
            type="range"
            min={1}
            max={newest}
            value={revision}
            aria-label="Revision"
            onInput={({ currentTarget }) => go(Number(currentTarget.value))}
          />
          <button type="button" onClick={later} aria-label="The change after">
            ›
          </button>
          <button type="button" onClick={() => go(newest)}>
            Now
          </button>
          <KindSelect value={`${group}/${name}`} />
        </div>
        {resource === undefined ? (
          <div class="empty">Loading</div>
        ) : (
          <Past resource={resource} revision={revision} opened={opened.value} open={(row) => (opened.value = row)} />
        )}
        <h2 class="pad">Test controls</h2>
        <Controls />
      </div>
      {opened.value && resource && (
        <PastObject
          resource={resource}
          namespace={opened.value.namespace}
          name={opened.value.name}
          revision={revision}
          close={() => (opened.value = undefined)}
        />
      )}
    </section>
  );
}

function KindSelect({ value }: { readonly value: string }): ComponentChildren {
  return (
    <select aria-label="Kind" value={value} onChange={({ currentTarget }) => setQuery({ of: currentTarget.value })}>
      {groups.value.flatMap(({ name: group, resources }) =>
        resources
          .filter(({ resource }) => counts.value === undefined || counts.value.get(countKey(group, resource)) !== undefined)
          .map(({ resource, kind }) => {
            const place = `${group === '' ? '-' : group}/${resource}`;
            return (
              <option key={place} value={place}>
                {kind}
                {group === '' ? '' : ` (${group})`}
              </option>
            );
          }),
      )}
    </select>
  );
}

interface PastProps {
  readonly resource: Resource;
  readonly revision: number;
  readonly opened: PastRow | undefined;
  open(row: PastRow): void;
}

function Past({ resource, revision, opened, open }: PastProps): ComponentChildren {
  const table = useSignal<PastTable | undefined>(undefined);
  const problem = useSignal('');
  useEffect(() => {
    const end = new AbortController();
    const timer = setTimeout(() => {
      tableAt(resource, revision, end.signal)
        .then((read) => {
          table.value = read;
          problem.value = '';
        })
        .catch((error: unknown) => {
          if (!end.signal.aborted) problem.value = error instanceof Error ? error.message : String(error);
        });
    }, rest);
    return () => {
      clearTimeout(timer);
      end.abort();
    };
  }, [resource, revision]);
  if (problem.value !== '') {
    return (
      <div class="empty">
        {problem.value}. A server with <code>--history=all</code> knows each revision.
      </div>
    );
  }
  if (table.value === undefined) return <div class="empty">Loading</div>;
  const { columns, rows } = table.value;
  return (
    <table class="past">
      <thead>
        <tr>
          {resource.namespaced && <th scope="col">Namespace</th>}
          {columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={`${row.namespace}/${row.name}`} aria-current={opened?.name === row.name && opened.namespace === row.namespace}>
            {resource.namespaced && <td class="subtle">{row.namespace}</td>}
            {row.cells.map((cell, at) => (
              <td key={columns[at]}>
                {at === 0 ? (
                  <button type="button" class="link" onClick={() => open(row)}>
                    {cell}
                  </button>
                ) : (
                  cell
                )}
              </td>
            ))}
          </tr>
        ))}
        {rows.length === 0 && (
          <tr>
            <td class="empty" colSpan={columns.length + 1}>
              There was no {resource.kind}.
            </td>
          </tr>
        )}
      </tbody>
    </table>
  );
}
