import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { RequestActivity } from '../../runtime/page/activity.ts';
import { usePolled } from '../app/polling.ts';
import { VirtualRows } from '../app/virtual-rows.tsx';
import { TimelineSource } from '../timeline/timeline-source.ts';
import { readFlowControl } from './flow-control.ts';
import { Levels } from './levels.tsx';

/** Milliseconds between two looks at priority and fairness. */
const interval = 1000;
const shownRequests = 1000;

/** The requests of now beside what priority and fairness does with them. */
export function TrafficView(): ComponentChildren {
  const source = useMemo(() => new TimelineSource(), []);
  useEffect(() => () => source.close(), [source]);
  const flow = usePolled(readFlowControl, interval);
  const scroller = useRef<HTMLDivElement>(null);
  void source.version.value;
  const requests = source.timeline.requests().slice(-shownRequests).reverse();
  return (
    <section class="traffic" aria-label="Traffic">
      <div class="traffic-flow" tabIndex={0} role="region" aria-label="Priority and fairness">
        <header class="view-head">
          <h1>Priority and fairness</h1>
        </header>
        {flow.problem !== '' && <p class="empty">{flow.problem}</p>}
        {flow.value && <Levels levels={flow.value.levels} />}
      </div>
      <div class="traffic-requests">
        <header class="view-head">
          <h2>Requests</h2>
          <span class="count">{requests.length}</span>
          <span class={`badge${source.problem.value === '' ? ' badge-live' : ' badge-lost'}`} role="status">
            {source.problem.value || 'Live'}
          </span>
        </header>
        <div class="grid requests" role="grid" ref={scroller} tabIndex={0} aria-label="Requests" aria-rowcount={requests.length + 1}>
          <div class="grid-row grid-head" role="row" aria-rowindex={1}>
            {['Verb', 'Resource', 'User', 'Agent', 'Code', 'Took'].map((title) => (
              <div key={title} role="columnheader">
                {title}
              </div>
            ))}
          </div>
          <VirtualRows
            count={requests.length}
            scroller={scroller}
            active={-1}
            row={({ index, start }) => {
              const request = requests[index];
              return request && <RequestRow key={request.id} request={request} index={index} start={start} />;
            }}
          />
        </div>
      </div>
    </section>
  );
}

interface RequestRowProps {
  readonly request: RequestActivity;
  readonly index: number;
  readonly start: number;
}

function RequestRow({ request, index, start }: RequestRowProps): ComponentChildren {
  const { verb, resource, subresource, namespace, name, path, user, agent, code, time, end } = request;
  const subject =
    resource === '' ? path : `${[resource, subresource].filter(Boolean).join('/')} ${[namespace, name].filter(Boolean).join('/')}`;
  const isBad = code === undefined ? end !== undefined && verb !== 'watch' : code >= 400;
  return (
    <div class="grid-row" role="row" aria-rowindex={index + 2} style={{ transform: `translateY(${start}px)` }}>
      <div role="gridcell">{verb}</div>
      <div role="gridcell" title={subject}>
        {subject}
      </div>
      <div role="gridcell" class="subtle" title={user}>
        {user}
      </div>
      <div role="gridcell" class="subtle" title={agent}>
        {agent}
      </div>
      <div role="gridcell" class={isBad ? 'tone-bad' : 'tone-good'}>
        {code ?? (end === undefined ? '…' : 'none')}
      </div>
      <div role="gridcell" class="subtle">
        {end === undefined ? 'running' : `${end - time} ms`}
      </div>
    </div>
  );
}
