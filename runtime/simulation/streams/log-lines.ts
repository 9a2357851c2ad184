import type { Pod } from '../../../generated/v1.35/core/v1/types.ts';
import { parseMilliseconds } from '../../machinery/go/duration.ts';
import { annotationOf } from '../pods/behaviour.ts';

/** A line of a container's output, and its milliseconds after the start. */
export interface LogLine {
  readonly after: number;
  /** The line without a newline. */
  readonly text: string;
}

/** Returns the lines of the annotation `log`; undefined without it. */
export function annotatedLines(pod: Pod, container: string): readonly LogLine[] | undefined {
  const text = annotationOf(pod, 'log', container);
  if (text === undefined) return undefined;
  const interval = intervalOf(pod, container);
  return linesOf(text).map((line, index) => ({ after: index * interval, text: line }));
}

function intervalOf(pod: Pod, container: string): number {
  try {
    return Math.max(0, parseMilliseconds(annotationOf(pod, 'log-interval', container) ?? '0s'));
  } catch {
    return 0;
  }
}

const linesOf = (text: string): string[] => (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
