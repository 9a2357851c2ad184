import { everyField, type FieldSelector, parseFieldSelector } from '../machinery/selectors/field-selector.ts';
import { everyLabel, type LabelSelector, parseLabelSelector } from '../machinery/selectors/label-selector.ts';
import { firstOf, type Query } from './query-string.ts';

/**
 * The selectors of a query, read once: what a request is about depends on them, and later what it selects. A URL has room
 * for 100,000 conditions.
 */
const labels = new WeakMap<Query, LabelSelector>();
const fields = new WeakMap<Query, FieldSelector>();

/** @throws SelectorError */
export function labelSelectorOf(query: Query): LabelSelector {
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
