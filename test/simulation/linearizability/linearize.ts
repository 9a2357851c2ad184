import { BitSet } from './bit-set.ts';
import type { Model, Operation } from './operation.ts';

export type Linearization<Input, Output> =
  | { readonly ok: true }
  /** The longest explained prefix; empty if the search was abandoned. */
  | { readonly ok: false; readonly gaveUp: boolean; readonly longest: readonly Operation<Input, Output>[] };

/** One choice of the search: the state before it, and the possible next operations. */
interface Frame<State> {
  readonly state: State;
  readonly candidates: readonly number[];
  next: number;
  chosen?: number;
}

/** The maximum steps of a search: a second or two. */
const patience = 2_000_000;

/**
 * Finds an order of the operations that the model explains and that respects real time: an operation that returned
 * before another was called comes first. Operations without an output may be left out.
 *
 * The search is Wing and Gong's with Lowe's memory, as in Porcupine: a set of operations that leads to a state again is
 * not searched twice. Histories of different objects are checked separately, because linearizability is local.
 */
export function linearize<State, Input, Output>(
  model: Model<State, Input, Output>,
  operations: readonly Operation<Input, Output>[],
): Linearization<Input, Output> {
  const ordered = [...operations].sort((one, other) => one.call - other.call);
  const done = new BitSet(ordered.length);
  const tried = new Set<string>();
  const order: number[] = [];
  let longest: number[] = [];
  let left = ordered.filter(({ output }) => output !== undefined).length;
  const frames: Frame<State>[] = [{ state: model.initial, candidates: candidatesOf(ordered, done), next: 0 }];
  for (let steps = 0; left > 0; steps++) {
    if (steps > patience) return { ok: false, gaveUp: true, longest: [] };
    const frame = frames.at(-1);
    if (frame === undefined) return { ok: false, gaveUp: false, longest: longest.map((at) => ordered[at]) };
    if (frame.chosen !== undefined) {
      done.toggle(frame.chosen);
      if (ordered[frame.chosen].output !== undefined) left++;
      order.pop();
      frame.chosen = undefined;
    }
    const at = frame.candidates[frame.next++];
    if (at === undefined) {
      frames.pop();
      continue;
    }
    const { input, output } = ordered[at];
    const state = model.step(frame.state, input, output);
    if (state === undefined) continue;
    done.toggle(at);
    const key = `${done.key()} ${model.key(state)}`;
    if (tried.has(key)) {
      done.toggle(at);
      continue;
    }
    tried.add(key);
    frame.chosen = at;
    if (output !== undefined) left--;
    order.push(at);
    if (order.length > longest.length) longest = [...order];
    frames.push({ state, candidates: candidatesOf(ordered, done), next: 0 });
  }
  return { ok: true };
}

/**
 * Returns the possible next operations: those called before any other remaining one returned. Operations without an
 * output come last, because most have had no effect.
 */
function candidatesOf<Input, Output>(ordered: readonly Operation<Input, Output>[], done: BitSet): number[] {
  const completed: number[] = [];
  const open: number[] = [];
  let firstReturn = Number.POSITIVE_INFINITY;
  for (let at = 0; at < ordered.length && ordered[at].call < firstReturn; at++) {
    if (done.has(at)) continue;
    firstReturn = Math.min(firstReturn, ordered[at].return);
    (ordered[at].output === undefined ? open : completed).push(at);
  }
  return [...completed, ...open];
}
