import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { useKeys } from '../app/keys.ts';
import { route, setQuery } from '../app/route.ts';
import { SearchField } from '../app/search-field.tsx';
import { VirtualRows } from '../app/virtual-rows.tsx';
import { type AxisKind, type Span, wholeSpan, zoomed } from './axis.ts';
import { Lanes } from './lanes.tsx';
import { MomentDetails } from './moment-details.tsx';
import { momentText } from './moment-text.ts';
import { type Moment, objectOf, type Struggle, strugglesIn, type Write } from './timeline.ts';
import { TimelineSource } from './timeline-source.ts';

/** What is always going on, and rarely the question: kinds, and the parts of the server that look after their own objects. */
const backgroundKinds = ['Lease', 'Event'];
const backgroundClients = [
  'server',
  'kube-apiserver',
  'kubernetes-service-cidr-controller',
  'clusterrole-aggregation-controller',
  'api-priority-and-fairness-config-producer-v1',
  'api-priority-and-fairness-config-consumer-v1',
];

/** What happened, by client, on one axis. */
export function TimelineView(): ComponentChildren {
  const source = useMemo(() => new TimelineSource(), []);
  useEffect(() => () => source.close(), [source]);
  const { query } = route.value;
  const text = (query.get('text') ?? '').toLowerCase();
  const kind: AxisKind = query.get('axis') === 'order' ? 'order' : 'time';
  const all = query.get('all') === '1';
  const zoom = useSignal<Span | undefined>(undefined);
  const chosen = useSignal<Moment | undefined>(undefined);
  const scroller = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const version = source.version.value;

  const writes = useMemo(() => source.timeline.writes(), [version]);
  const struggles = useMemo(() => strugglesIn(writes), [writes]);
  const moments = useMemo(() => {
    const every = source.timeline.moments(writes);
    return every.filter((moment) => (all || isForeground(moment)) && (text === '' || wordsOf(moment).includes(text)));
  }, [writes, text, all]);
  const clients = useMemo(() => clientsOf(moments), [moments]);
  const struggling = useMemo(
    () => new Set(struggles.flatMap((struggle) => struggle.writes.map(({ change }) => change.revision))),
    [struggles],
  );
  const span = zoom.value ?? wholeSpan(kind, moments);
  const current = chosen.value;
  const at = current === undefined ? -1 : moments.findIndex((moment) => isSameMoment(moment, current));
  const move = (by: number) => (): void => {
    chosen.value = moments[at < 0 ? moments.length - 1 : Math.max(0, Math.min(moments.length - 1, at + by))];
  };
  const chooseWrite = (write: Write): void => {
    chosen.value = moments.find((moment) => moment.what === 'write' && moment.write.change.revision === write.change.revision);
  };
  const magnify = (factor: number) => (): void => {
    zoom.value = zoomed(span, factor, (span.from + span.to) / 2);
  };
  useKeys(
    [
      { keys: '/', about: 'Search in the timeline', run: () => search.current?.focus() },
      { keys: 'j, ArrowDown', about: 'Next moment', run: move(1) },
      { keys: 'k, ArrowUp', about: 'Previous moment', run: move(-1) },
      { keys: '+', about: 'Zoom in', run: magnify(0.6) },
      { keys: '-', about: 'Zoom out', run: magnify(1.7) },
      { keys: '0', about: 'Show everything', run: () => (zoom.value = undefined) },
      { keys: 'o', about: 'Axis of time or of order', run: () => switchAxis(kind) },
      { keys: 'p', about: 'Pause', run: () => (source.isPaused.value = !source.isPaused.value) },
    ],
    [moments, at, kind],
  );
  const switchAxis = (from: AxisKind): void => {
    zoom.value = undefined;
    setQuery({ axis: from === 'time' ? 'order' : '' });
  };
  return (
    <section class={`timeline${current === undefined ? '' : ' with-details'}`} aria-label="Timeline">
      <div class="timeline-main">
        <header class="view-head">
          <h1>Timeline</h1>
          <span class="count" aria-live="polite">
            {moments.length}
          </span>
          <span class={`badge${source.problem.value ? ' badge-lost' : source.isPaused.value ? '' : ' badge-live'}`} role="status">
            {source.problem.value || (source.isPaused.value ? 'Paused' : 'Live')}
          </span>
        </header>
        <div class="filters" role="search">
          <SearchField field={search} label="Search in the timeline" placeholder="Search: a client, verb, object or code  /" />
          <button type="button" aria-pressed={kind === 'order'} onClick={() => switchAxis(kind)}>
            {kind === 'time' ? 'By time' : 'By order'}
          </button>
          <button type="button" aria-pressed={all} onClick={() => setQuery({ all: all ? '' : '1' })}>
            {all ? 'With background' : 'Without background'}
          </button>
          <button type="button" aria-pressed={source.isPaused.value} onClick={() => (source.isPaused.value = !source.isPaused.value)}>
            {source.isPaused.value ? 'Go on' : 'Pause'}
          </button>
          <button type="button" onClick={() => source.clear()}>
            Clear
          </button>
        </div>
        {struggles.length > 0 && (
          <ul class="struggles" aria-label="What stands out">
            {struggles.slice(-4).map((struggle) => (
              <li key={`${struggle.object} ${struggle.writes[0]?.change.revision}`}>
                <button
                  type="button"
                  onClick={() => {
                    setQuery({ text: struggle.object, axis: 'order' });
                    zoom.value = undefined;
                  }}
                >
                  {describe(struggle)}
                </button>
              </li>
            ))}
          </ul>
        )}
        <div class="lanes-frame">
          <Lanes
            moments={moments}
            clients={clients}
            kind={kind}
            span={span}
            chosen={moments[at]}
            struggling={struggling}
            onSpan={(next) => (zoom.value = next)}
            onChoose={(moment) => (chosen.value = moment)}
          />
        </div>
        <ul class="marks" aria-label="Marks">
          <li class="mark-write">write</li>
          <li class="mark-request">request</li>
          <li class="mark-failed">failure</li>
          <li class="mark-event">event of a watch</li>
          <li class="mark-fault">fault</li>
        </ul>
        <div class="grid moments" role="grid" ref={scroller} tabIndex={0} aria-label="Moments" aria-rowcount={moments.length + 1}>
          <div class="grid-row grid-head" role="row" aria-rowindex={1}>
            {['Time', 'Client', 'What', 'Object', 'Result'].map((title) => (
              <div key={title} role="columnheader">
                {title}
              </div>
            ))}
          </div>
          <VirtualRows
            count={moments.length}
            scroller={scroller}
            active={at}
            showsEnd={current === undefined}
            row={({ index, start }) => {
              const moment = moments[index];
              if (moment === undefined) return null;
              const { time, what, subject, result, isBad } = momentText(moment);
              return (
                <div
                  key={index}
                  class={`grid-row${index === at ? ' active' : ''}`}
                  role="row"
                  aria-rowindex={index + 2}
                  aria-selected={index === at}
                  style={{ transform: `translateY(${start}px)` }}
                  onClick={() => (chosen.value = moment)}
                >
                  <div role="gridcell" class="subtle">
                    {time}
                  </div>
                  <div role="gridcell">{moment.client}</div>
                  <div role="gridcell" class={moment.what === 'write' ? 'written' : ''}>
                    {what}
                  </div>
                  <div role="gridcell">{subject}</div>
                  <div role="gridcell" class={isBad ? 'tone-bad' : 'subtle'}>
                    {result}
                  </div>
                </div>
              );
            }}
          />
        </div>
      </div>
      {current !== undefined && (
        <MomentDetails
          moment={current}
          reactions={current.what === 'write' ? source.timeline.reactions(current.write, writes) : []}
          previous={current.what === 'write' ? previousOf(current.write, writes) : undefined}
          choose={chooseWrite}
          close={() => (chosen.value = undefined)}
        />
      )}
    </section>
  );
}

const isForeground = (moment: Moment): boolean => {
  if (moment.what === 'write') {
    const { change, request } = moment.write;
    return !backgroundKinds.includes(change.kind) && (request !== undefined || !backgroundClients.includes(moment.client));
  }
  if (moment.client === 'kubeloom-page') return false;
  const { resource } = moment.what === 'event' ? moment.watch : moment.request;
  return resource !== 'leases' && resource !== 'events';
};

function wordsOf(moment: Moment): string {
  const { what, subject, result } = momentText(moment);
  const object = moment.what === 'write' ? moment.write.change.kind : '';
  return `${moment.client} ${what} ${subject} ${result} ${object}`.toLowerCase();
}

/** Returns the clients in the order of their first moment: those that send requests before the parts of the server. */
function clientsOf(moments: readonly Moment[]): readonly string[] {
  const asking = moments.filter((moment) => moment.what !== 'write' || moment.write.request !== undefined);
  return [...new Set([...asking, ...moments].map(({ client }) => client))];
}

/** Moments are made anew with each answer of the server. */
function isSameMoment(a: Moment, b: Moment): boolean {
  if (a === b) return true;
  if (a.what === 'write' && b.what === 'write') return a.write.change.revision === b.write.change.revision;
  if (a.what === 'request' && b.what === 'request') return a.request.id === b.request.id;
  return a.what === 'event' && b.what === 'event' && a.event === b.event;
}

const previousOf = ({ change }: Write, writes: readonly Write[]): Write | undefined =>
  writes.findLast((other) => other.change.revision < change.revision && objectOf(other.change) === objectOf(change));

function describe({ object, clients, writes }: Struggle): string {
  const [first, last] = [writes[0]?.change.time ?? 0, writes.at(-1)?.change.time ?? 0];
  const seconds = ((last - first) / 1000).toFixed(1);
  return clients.length > 1
    ? `${clients.join(' and ')} write ${object} in turn: ${writes.length} writes in ${seconds} s`
    : `${clients[0]} writes ${object} again and again: ${writes.length} writes in ${seconds} s`;
}
