import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { ageOf } from '../app/age.ts';
import { useKeys } from '../app/keys.ts';
import { go, hrefOf } from '../app/route.ts';
import { VirtualRows } from '../app/virtual-rows.tsx';
import type { Resource } from '../server/discovery.ts';
import { Filters } from './filters.tsx';
import type { Column, Row } from './table-rows.ts';
import { TableSource } from './table-source.ts';
import { WatchBadge } from './watch-badge.tsx';

export interface ResourceTableProps {
  readonly resource: Resource;
  readonly query: URLSearchParams;
  /** Whether the table is a part of another view, which has the head and decides about filters. */
  readonly isPart?: boolean;
}

/** One resource as the server's own table. */
export function ResourceTable({ resource, query, isPart = false }: ResourceTableProps): ComponentChildren {
  const filter = {
    namespace: query.get('namespace') ?? '',
    labelSelector: query.get('labels') ?? '',
    fieldSelector: query.get('fields') ?? '',
  };
  const inputs = [resource.group, resource.version, resource.resource, filter.namespace, filter.labelSelector, filter.fieldSelector];
  const source = useMemo(() => new TableSource(resource, filter), inputs);
  useEffect(() => () => source.close(), [source]);
  const active = useSignal(-1);
  const isWide = useSignal(false);
  const scroller = useRef<HTMLDivElement>(null);
  // read, so that changes render
  void source.version.value;
  const text = (query.get('text') ?? '').toLowerCase().trim();
  const all = source.rows.all();
  const rows = text === '' ? all : all.filter((row) => row.text.includes(text));
  const hasNamespaces = resource.namespaced && filter.namespace === '';
  const columns = source.rows.columns.map((column, at) => ({ ...column, at })).filter(({ priority }) => isWide.value || priority === 0);
  const at = Math.min(active.value, rows.length - 1);
  const open = (row: Row | undefined): void => {
    if (row !== undefined) go(objectHref(resource, row));
  };
  const move = (by: number) => (): void => {
    active.value = Math.max(0, Math.min(rows.length - 1, at + by));
  };
  useKeys(
    [
      { keys: 'j, ArrowDown', about: 'Next row', run: move(1) },
      { keys: 'k, ArrowUp', about: 'Previous row', run: move(-1) },
      { keys: 'PageDown', about: 'Twenty rows down', run: move(20) },
      { keys: 'PageUp', about: 'Twenty rows up', run: move(-20) },
      { keys: 'Enter, o', about: 'Open the row', run: () => open(rows[at]) },
      { keys: 'w', about: 'Show all columns', run: () => (isWide.value = !isWide.value) },
    ],
    [rows, at],
  );
  // the same for all rows, so that their columns are below one another
  const minWidth = `${columns.length * 110 + (hasNamespaces ? 240 : 120)}px`;
  const template = `${hasNamespaces ? 'minmax(110px, 0.7fr) ' : ''}${columns.map(trackOf).join(' ')}`;
  return (
    <section class="resource" aria-label={resource.resource}>
      {!isPart && (
        <>
          <header class="view-head">
            <h1>{resource.kind}</h1>
            <span class="subtle">{resource.group === '' ? resource.version : `${resource.group}/${resource.version}`}</span>
            <span class="count" aria-live="polite">
              {rows.length === all.length ? all.length : `${rows.length} of ${all.length}`}
            </span>
            <WatchBadge state={source.state.value} why={source.why.value} resumed={source.resumed.value} />
            <button type="button" class="quiet" aria-pressed={isWide.value} onClick={() => (isWide.value = !isWide.value)}>
              {isWide.value ? 'Fewer columns' : 'All columns'}
            </button>
          </header>
          <Filters namespaced={resource.namespaced} query={query} />
        </>
      )}
      <div
        class="grid"
        role="grid"
        ref={scroller}
        tabIndex={0}
        aria-label={`${resource.kind} objects`}
        aria-rowcount={rows.length + 1}
        aria-activedescendant={at >= 0 && rows.length > 0 ? `row-${at}` : undefined}
      >
        <div class="grid-row grid-head" role="row" aria-rowindex={1} style={{ gridTemplateColumns: template, minWidth }}>
          {hasNamespaces && <div role="columnheader">Namespace</div>}
          {columns.map(({ name, description }) => (
            <div key={name} role="columnheader" title={description}>
              {name}
            </div>
          ))}
        </div>
        <VirtualRows
          count={rows.length}
          scroller={scroller}
          active={at}
          row={({ index, start }) => {
            const row = rows[index];
            if (row === undefined) return null;
            return (
              <div
                key={row.key}
                id={`row-${index}`}
                class={`grid-row${index === at ? ' active' : ''}${row.flash ? ` flash-${row.flash}` : ''}`}
                role="row"
                aria-rowindex={index + 2}
                aria-selected={index === at}
                style={{ gridTemplateColumns: template, minWidth, transform: `translateY(${start}px)` }}
                onClick={() => {
                  active.value = index;
                  open(row);
                }}
              >
                {hasNamespaces && (
                  <div role="gridcell" class="subtle">
                    {row.meta.namespace}
                  </div>
                )}
                {columns.map((column) => (
                  <Cell key={column.at} column={column} row={row} value={row.cells[column.at]} href={objectHref(resource, row)} />
                ))}
              </div>
            );
          }}
        />
        {rows.length === 0 && source.state.value !== 'loading' && (
          <div class="empty">{all.length === 0 ? `There are no ${resource.resource} here.` : 'No row has this text.'}</div>
        )}
      </div>
    </section>
  );
}

const objectHref = ({ group, resource }: Resource, { meta }: Row): string => hrefOf('object', [group, resource, meta.namespace, meta.name]);

function trackOf({ name, format }: Column & { readonly format?: string }): string {
  if (format === 'name' || name === 'Name') return 'minmax(200px, 2fr)';
  if (name === 'Age' || name === 'Last Seen') return '76px';
  if (name === 'Message') return 'minmax(84px, 4fr)';
  return 'minmax(84px, 1fr)';
}

interface CellProps {
  readonly column: Column;
  readonly row: Row;
  readonly value: unknown;
  readonly href: string;
}

const good = /^(?:Running|Active|Bound|Ready|Completed|Succeeded|Available|True)$/;
const bad = /(?:Error|Failed|BackOff|Unknown|NotReady|Evicted|Lost|OOMKilled)/;

function Cell({ column, row, value, href }: CellProps): ComponentChildren {
  if (column.name === 'Name')
    return (
      <div role="gridcell">
        <a href={href} tabIndex={-1} onClick={(event) => event.stopPropagation()}>
          {String(value)}
        </a>
      </div>
    );
  const text = column.name === 'Age' ? ageOf(row.meta.creationTimestamp) : shown(value);
  const tone = column.name === 'Status' ? (good.test(text) ? 'good' : bad.test(text) ? 'bad' : 'waiting') : '';
  return (
    <div role="gridcell" class={tone === '' ? undefined : `tone tone-${tone}`} title={text.length > 24 ? text : undefined}>
      {text}
    </div>
  );
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
