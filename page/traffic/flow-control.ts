import { readMetrics } from '../server/metrics.ts';
import { send } from '../server/request.ts';

/** One priority level now. */
export interface Level {
  readonly name: string;
  readonly seats: number;
  /** The seats that it has now: nominal, with those that are borrowed or lent. */
  readonly limit: number;
  readonly nominal: number;
  readonly executing: number;
  readonly waiting: number;
  readonly dispatched: number;
  readonly rejected: number;
  /** Dispatched and rejected requests a second since the last look. */
  readonly dispatchRate: number;
  readonly rejectRate: number;
  readonly queues: readonly Queue[];
}

export interface Queue {
  readonly index: number;
  readonly waiting: number;
  readonly seats: number;
  /** The flows whose requests wait in the queue. */
  readonly flows: readonly string[];
}

export interface FlowControl {
  readonly time: number;
  readonly levels: readonly Level[];
}

const names = [
  'apiserver_flowcontrol_current_executing_seats',
  'apiserver_flowcontrol_current_limit_seats',
  'apiserver_flowcontrol_nominal_limit_seats',
] as const;

const dumps = '/debug/api_priority_and_fairness';

/** Reads the state of priority and fairness. @throws ApiError if it is off, or the user may not see it */
export async function readFlowControl(before: FlowControl | undefined): Promise<FlowControl> {
  const [metrics, levels, queues, requests] = await Promise.all([
    readMetrics(names),
    dump('dump_priority_levels'),
    dump('dump_queues'),
    dump('dump_requests'),
  ]);
  const time = performance.now();
  const seconds = before === undefined ? 0 : (time - before.time) / 1000;
  return {
    time,
    levels: levels.map((row) => {
      const name = row.PriorityLevelName ?? '';
      const old = before?.levels.find((level) => level.name === name);
      const [dispatched, rejected] = [Number(row.DispatchedRequests), Number(row.RejectedRequests) + Number(row.TimedoutRequests)];
      const of = { priority_level: name };
      return {
        name,
        seats: metrics.sum(names[0], of),
        limit: metrics.sum(names[1], of),
        nominal: metrics.sum(names[2], of),
        executing: Number(row.ExecutingRequests),
        waiting: Number(row.WaitingRequests),
        dispatched,
        rejected,
        dispatchRate: old === undefined ? 0 : (dispatched - old.dispatched) / seconds,
        rejectRate: old === undefined ? 0 : (rejected - old.rejected) / seconds,
        queues: queues.filter((queue) => queue.PriorityLevelName === name).map((queue) => queueOf(queue, name, requests)),
      };
    }),
  };
}

type Row = Readonly<Record<string, string>>;

function queueOf(row: Row, level: string, requests: readonly Row[]): Queue {
  const own = requests.filter((request) => request.PriorityLevelName === level && request.QueueIndex === row.Index);
  return {
    index: Number(row.Index),
    waiting: Number(row.PendingRequests),
    seats: Number(row.SeatsInUse),
    flows: [
      ...new Set(own.map(({ FlowSchemaName = '', FlowDistingsher: of = '' }) => (of === '' ? FlowSchemaName : `${FlowSchemaName}: ${of}`))),
    ],
  };
}

/** Reads one of the tables, whose columns are separated by commas and filled up with spaces. */
async function dump(name: string): Promise<readonly Row[]> {
  const text = await (await send(`${dumps}/${name}`, { accept: 'text/plain' })).text();
  const [head = [], ...rows] = text
    .split('\n')
    .filter((row) => row.trim() !== '')
    .map((row) => row.split(',').map((cell) => cell.trim()));
  return rows.map((row) => Object.fromEntries(head.map((title, at) => [title, row[at] ?? ''])));
}
