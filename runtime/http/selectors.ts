import { yieldToEventLoop } from '../machinery/event-loop/yield.ts';
import { everyField, type FieldSelector, parseFieldSelector } from '../machinery/selectors/field-selector.ts';
import { everyLabel, type LabelSelector, parseLabelSelector, readLabelSelector } from '../machinery/selectors/label-selector.ts';
import { isSelectorError, type SelectorError } from '../machinery/selectors/selector-error.ts';
import { type Query, queryValue } from './query-string.ts';

/**
 * Parsed selectors by query. The request info and the verb both need them, and a URL has room for 100,000 conditions.
 */
const labelSelectors = new WeakMap<Query, LabelSelector>();
const fieldSelectors = new WeakMap<Query, FieldSelector>();
/** The errors of label selectors that were parsed in turns. */
const selectorErrors = new WeakMap<Query, SelectorError>();

/**
 * The number of characters from which a selector is parsed in several turns of the event loop, between other requests.
 */
const longSelector = 64 * 1024;

/** Reports whether `parseSelectorInTurns` must run before the selectors of the query are used. */
export const hasLongSelector = (query: Query): boolean => (queryValue(query, 'labelSelector')?.length ?? 0) >= longSelector;

/**
 * Parses a long label selector, a part in each turn of the event loop. A parse error is thrown later, by
 * `labelSelectorOf`.
 */
export async function parseSelectorInTurns(query: Query): Promise<void> {
  const steps = readLabelSelector(queryValue(query, 'labelSelector') ?? '');
  try {
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done) {
        labelSelectors.set(query, step.value);
        return;
      }
      await yieldToEventLoop();
    }
  } catch (error) {
    if (!isSelectorError(error)) throw error;
    selectorErrors.set(query, error);
  }
}

/** @throws SelectorError */
export function labelSelectorOf(query: Query): LabelSelector {
  const error = selectorErrors.get(query);
  if (error !== undefined) throw error;
  const text = queryValue(query, 'labelSelector') ?? '';
  return text === '' ? everyLabel : memoized(labelSelectors, query, () => parseLabelSelector(text));
}

/** @throws SelectorError */
export function fieldSelectorOf(query: Query): FieldSelector {
  const text = queryValue(query, 'fieldSelector') ?? '';
  return text === '' ? everyField : memoized(fieldSelectors, query, () => parseFieldSelector(text));
}

function memoized<T>(memo: WeakMap<Query, T>, query: Query, parse: () => T): T {
  const known = memo.get(query);
  if (known !== undefined) return known;
  const parsed = parse();
  memo.set(query, parsed);
  return parsed;
}
