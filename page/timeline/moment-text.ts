import { type Moment, objectOf } from './timeline.ts';

/** One moment in words, for the list. */
export interface MomentText {
  readonly time: string;
  readonly what: string;
  readonly subject: string;
  readonly result: string;
  readonly isBad: boolean;
}

export function momentText(moment: Moment): MomentText {
  const time = clockTime(moment.time);
  if (moment.what === 'event') {
    const { event, watch } = moment;
    return { time, what: `received ${event.type}`, subject: subjectOf(watch), result: `revision ${event.revision}`, isBad: false };
  }
  if (moment.what === 'write') {
    const { change, request } = moment.write;
    const verb = request === undefined ? change.type : [request.verb, request.subresource].filter(Boolean).join(' ');
    return {
      time,
      what: verb,
      subject: objectOf(change),
      result: withFaults(`revision ${change.revision}`, request?.faults),
      isBad: false,
    };
  }
  const { request } = moment;
  const isOver = request.end !== undefined;
  const result = request.code === undefined ? (isOver ? 'no response' : 'running') : String(request.code);
  const isBad = request.code === undefined ? isOver && request.verb !== 'watch' : request.code >= 400;
  const took = isOver && request.verb !== 'watch' ? `, ${(request.end ?? 0) - request.time} ms` : '';
  const what = [request.verb, request.subresource].filter(Boolean).join(' ');
  return { time, what, subject: subjectOf(request), result: withFaults(`${result}${took}`, request.faults), isBad };
}

const withFaults = (text: string, faults: readonly string[] = []): string =>
  faults.length === 0 ? text : `${text} (fault: ${faults.join(', ')})`;

function subjectOf({ resource, namespace, name, path }: { resource: string; namespace: string; name: string; path: string }): string {
  if (resource === '') return path;
  return `${resource} ${[namespace, name].filter(Boolean).join('/')}`.trim();
}

function clockTime(time: number): string {
  const date = new Date(time);
  return `${date.toLocaleTimeString(undefined, { hour12: false })}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}
