import { formatGroupVersion } from '../machinery/gvk.ts';
import { zeroTimeText } from '../machinery/scalars/time.ts';
import type { QueuedRequest } from './fair-queuing/queue.ts';
import type { FlowControl } from './flow-control.ts';

// the debug dumps of apiserver pkg/util/flowcontrol/apf_controller_debug.go: comma-separated tables with aligned columns

export function dumpPriorityLevels({ priorityLevels }: FlowControl): string {
  const head = ['PriorityLevelName', 'ActiveQueues', 'IsIdle', 'IsQuiescing', 'WaitingRequests', 'ExecutingRequests'];
  head.push('DispatchedRequests', 'RejectedRequests', 'TimedoutRequests', 'CancelledRequests');
  return table([
    head,
    ...priorityLevels.map(({ name, queueSet, quiescing }) => {
      const { totals, waiting, executing, idle, queues } = queueSet;
      const active = queues.filter((queue) => queue.waiting.length > 0).length;
      const { dispatched, rejected, timedOut, cancelled } = totals;
      return [name, active, idle, quiescing, waiting, executing, dispatched, rejected, timedOut, cancelled].map(String);
    }),
  ]);
}

export function dumpQueues({ priorityLevels }: FlowControl): string {
  const head = ['PriorityLevelName', 'Index', 'PendingRequests', 'ExecutingRequests', 'SeatsInUse', 'NextDispatchR'];
  head.push('InitialSeatsSum', 'MaxSeatsSum', 'TotalWorkSum');
  const rows = priorityLevels.flatMap(({ name, queueSet }) =>
    queueSet.queues.map((queue, index) => [
      name,
      `${index}`,
      `${queue.waiting.length}`,
      `${queue.executing.length}`,
      `${queue.seatsInUse}`,
      seatSecondsText(queue.nextDispatchR),
      `${queue.initialSeatsSum}`,
      `${queue.maxSeatsSum}`,
      seatSecondsText(queue.totalWorkSum),
    ]),
  );
  return table([head, ...rows]);
}

/** @param details adds the user and the request info */
export function dumpRequests({ priorityLevels }: FlowControl, details: boolean): string {
  const head = ['PriorityLevelName', 'FlowSchemaName', 'QueueIndex', 'RequestIndexInQueue', 'FlowDistingsher'];
  head.push('ArriveTime', 'InitialSeats', 'FinalSeats', 'AdditionalLatency', 'StartTime');
  if (details) head.push('UserName', 'Verb', 'APIPath', 'Namespace', 'Name', 'APIVersion', 'Resource', 'SubResource');
  const rows: string[][] = [];
  for (const { name, queueSet } of priorityLevels) {
    const add = (queue: number, position: number, request: QueuedRequest): void => {
      rows.push([name, ...requestCells(request, queue, position), ...(details ? detailCells(request) : [])]);
    };
    for (const [index, queue] of queueSet.queues.entries()) {
      let position = 0;
      for (const request of queue.waiting) add(index, position++, request);
      for (const request of queue.executing) add(index, -1, request);
    }
    for (const request of queueSet.queueless) add(-1, -1, request);
  }
  return table([head, ...rows]);
}

function requestCells(request: QueuedRequest, queue: number, position: number): string[] {
  const { flow, arrivalTime, startTime, initialSeats, finalSeats, additionalLatency } = request;
  return [
    flow.metrics.flowSchema,
    `${queue}`,
    `${position}`,
    flow.distinguisher,
    timeText(arrivalTime),
    `${initialSeats}`,
    `${finalSeats}`,
    durationText(additionalLatency),
    startTime === 0 ? zeroTimeText : timeText(startTime),
  ];
}

function detailCells({ user, requestInfo }: QueuedRequest): string[] {
  const { verb, path, namespace, name, group, version, resource, subresource } = requestInfo;
  const apiVersion = formatGroupVersion({ group, version });
  return [user.name, verb, path, namespace, name, apiVersion, resource, subresource];
}

/** Each column is as wide as its widest cell plus one, and at least 8 characters; commas follow the cells. (text/tabwriter) */
function table(rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map((cell, at) => (at === row.length - 1 ? cell : `${cell},`)));
  const widths = (rows[0] ?? []).map((_, at) => Math.max(8, ...cells.map((row) => [...(row[at] ?? '')].length + 1)));
  const line = (row: readonly string[]): string =>
    row.map((cell, at) => (at === row.length - 1 ? cell : cell + ' '.repeat((widths[at] ?? 8) - [...cell].length))).join('');
  return cells.map((row) => `${line(row)}\n`).join('');
}

/** Formats work as `12.00300000ss`. */
function seatSecondsText(work: number): string {
  const sign = work < 0 ? '-' : '';
  const units = Math.abs(Math.round(work));
  return `${sign}${Math.floor(units / 1e8)}.${String(units % 1e8).padStart(8, '0')}ss`;
}

/** Formats a time as RFC 3339 with nanoseconds, without trailing zeros. */
function timeText(ms: number): string {
  const nanoseconds = Math.round((ms % 1000) * 1e6);
  const whole = new Date(Math.floor(ms / 1000) * 1000 + (nanoseconds === 1e9 ? 1000 : 0)).toISOString().slice(0, 19);
  const digits = nanoseconds === 1e9 ? '' : String(nanoseconds).padStart(9, '0').replace(/0+$/, '');
  return `${whole}${digits === '' ? '' : `.${digits}`}Z`;
}

/** Formats a duration as Go does below a minute: `0s`, `500µs`, `12.5ms`, `1.5s`. */
function durationText(ms: number): string {
  if (ms === 0) return '0s';
  const [value, unit] = ms < 1 ? [ms * 1000, 'µs'] : ms < 1000 ? [ms, 'ms'] : [ms / 1000, 's'];
  return `${Number(value.toFixed(6))}${unit}`;
}
