import { yieldToEventLoop } from '../machinery/event-loop/yield.ts';
import { everyField, type FieldSelector, parseFieldSelector } from '../machinery/selectors/field-selector.ts';
import {
  everyLabel,
  type LabelSelector,
  parseLabelSelector,
  readLabelSelector,
} from '../machinery/selectors/label-selector.ts';
import { isSelectorError, type SelectorError } from '../machinery/selectors/selector-error.ts';
import { firstOf, type Query } from './query-string.ts';

/**
 * The selectors of a query, read once: what a request is about depends on them, and later what it selects. A URL has room
 * for 100,000 conditions.
 */
const labels = new WeakMap<Query, LabelSelector>();
const fields = new WeakMap<Query, FieldSelector>();
/** Why label selectors that were read in turns cannot be. */
const refused = new WeakMap<Query, SelectorError>();

/** From this many characters on a selector is read in turns with other requests. */
const longSelector = 64 * 1024;

/** Whether `readInTurns` is wanted before anybody asks for the selectors of a query. */
export const isLong = (query: Query): boolean => (firstOf(query, 'labelSelector')?.length ?? 0) >= longSelector;

/** Reads a long label selector, a part in each turn of the event loop. What is wrong with it is told when it is asked for. */
export async function readInTurns(query: Query): Promise<void> {
  const reading = readLabelSelector(firstOf(query, 'labelSelector') ?? '');
  try {
    for (let step = reading.next(); ; step = reading.next()) {
      if (step.done) {
        labels.set(query, step.value);
        return;
      }
      await yieldToEventLoop();
    }
  } catch (error) {
    if (!isSelectorError(error)) throw error;
    refused.set(query, error);
  }
}

/** @throws SelectorError */
export function labelSelectorOf(query: Query): LabelSelector {
  const why = refused.get(query);
  if (why !== undefined) throw why;
  const text = firstOf(query, 'labelSelector') ?? '';
  return text === '' ? everyLabel : remembered(labels, query, () => parseLabelSelector(text));
}

/** @throws SelectorError */
export function fieldSelectorOf(query: Query): FieldSelector {
  const text = firstOf(query, 'fieldSelector') ?? '';
  return text === '' ? everyField : remembered(fields, query, () => parseFieldSelector(text));
}

function remembered<T>(known: WeakMap<Query, T>, query: Query, read: () => T): T {
  const found = known.get(query);
  if (found !== undefined) return found;
  const made = read();
  known.set(query, made);
  return made;
}
