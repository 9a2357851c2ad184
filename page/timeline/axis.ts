import type { Moment } from './timeline.ts';

/** What is from left to right: the time, or the order, which shows what happens in one millisecond. */
export type AxisKind = 'time' | 'order';

/** The visible part of an axis. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Returns the place of a moment on an axis. */
export const placeOf = (kind: AxisKind, moment: Moment, index: number): number => (kind === 'time' ? moment.time : index);

/** Returns the whole of an axis, with some room at both ends. */
export function wholeSpan(kind: AxisKind, moments: readonly Moment[]): Span {
  if (kind === 'order') return { from: -1, to: Math.max(10, moments.length) };
  const [from, to] = [moments[0]?.time ?? 0, moments.at(-1)?.time ?? 1000];
  const room = Math.max(250, (to - from) * 0.02);
  return { from: from - room, to: to + room };
}

export function zoomed({ from, to }: Span, factor: number, at: number): Span {
  return { from: at - (at - from) * factor, to: at + (to - at) * factor };
}

export const moved = ({ from, to }: Span, by: number): Span => ({ from: from + by, to: to + by });

const steps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 30_000, 60_000, 300_000, 600_000, 3_600_000];

/** Returns the places of marks, and the text of each. */
export function marksOf(kind: AxisKind, { from, to }: Span, width: number): readonly (readonly [at: number, text: string])[] {
  const wanted = ((to - from) / width) * 110;
  const step = steps.find((each) => each >= wanted) ?? 3_600_000;
  const marks: [number, string][] = [];
  for (let at = Math.ceil(from / step) * step; at < to; at += step) marks.push([at, kind === 'order' ? String(at) : clockText(at, step)]);
  return marks;
}

function clockText(time: number, step: number): string {
  const date = new Date(time);
  const text = date.toLocaleTimeString(undefined, { hour12: false });
  return step < 1000 ? `${text}.${String(date.getMilliseconds()).padStart(3, '0')}` : text;
}
