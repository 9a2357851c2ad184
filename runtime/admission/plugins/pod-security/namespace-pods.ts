import { endOfSlice, TimeSlice } from '../../../machinery/event-loop/yield.ts';
import { compareStrings } from '../../../machinery/go/compare-strings.ts';
import { quote } from '../../../machinery/go/quote.ts';
import type { Collection, StoredObject } from '../../../storage/object-store/contract.ts';
import type { Pod } from '../../resources.ts';
import { evaluatePod, forbiddenReason } from './evaluator.ts';
import { type LevelVersion, levelVersionText } from './policy.ts';

/**
 * The maximum number of pods that are checked against a namespace's new policy, and the maximum time in milliseconds.
 */
const maxPods = 3000;
const maxTime = 1000;

export interface NamespacePods {
  readonly pods: Collection;
  readonly namespace: string;
  readonly enforce: LevelVersion;
  /** Milliseconds until the request times out. */
  readonly timeLeft: number;
  isExempt(pod: Pod): boolean;
}

interface Violation {
  /** The first name among the pods with this warning. */
  readonly name: string;
  readonly count: number;
}

/**
 * Returns warnings about the pods of a namespace that violate its new policy. The first pod of each controller is
 * checked before the others, so that all kinds of pods are seen. (EvaluatePodsInNamespace)
 */
export async function evaluatePodsInNamespace(request: NamespacePods): Promise<string[]> {
  const { pods, namespace, enforce } = request;
  const snapshot = pods.latest();
  const check = new NamespaceCheck(request);
  let total = snapshot.count(namespace);
  const others: StoredObject[] = [];
  const controllers = new Set<string>();
  const slice = new TimeSlice();
  const visit = async (stored: StoredObject): Promise<void> => {
    if (!check.add(stored.decode() as Pod)) total--;
    if (slice.isOver) await slice.next();
  };
  for (const stored of snapshot.scan({ namespace })) {
    if (check.isOver) break;
    const controller = stored.metadata().ownerReferences?.find((owner) => owner.controller)?.uid;
    if (controller === undefined || !controllers.has(controller)) await visit(stored);
    else others.push(stored);
    if (controller !== undefined) controllers.add(controller);
    if (slice.isOver) await slice.next();
  }
  for (const stored of others) {
    if (check.isOver) break;
    await visit(stored);
  }
  const found = check.warnings();
  const { checked } = check;
  return [
    ...(checked < total ? [`new PodSecurity enforce level only checked against the first ${checked} of ${total} existing pods`] : []),
    ...(found.length > 0
      ? [`existing pods in namespace ${quote(namespace)} violate the new PodSecurity enforce level ${quote(levelVersionText(enforce))}`]
      : []),
    ...found,
  ];
}

class NamespaceCheck {
  readonly #request: NamespacePods;
  readonly #end: number;
  readonly #violations = new Map<string, Violation>();
  checked = 0;

  constructor(request: NamespacePods) {
    this.#request = request;
    this.#end = endOfSlice(Math.min(maxTime, request.timeLeft / 2));
  }

  get isOver(): boolean {
    return this.checked === maxPods || performance.now() > this.#end;
  }

  /** Returns false for an exempt pod. */
  add(pod: Pod): boolean {
    const { isExempt, enforce } = this.#request;
    if (isExempt(pod)) return false;
    this.checked++;
    const { metadata, spec = {} } = pod;
    const reason = forbiddenReason(evaluatePod(enforce, { metadata, spec }));
    if (reason === '') return true;
    const { name, count } = this.#violations.get(reason) ?? { name: metadata.name ?? '', count: 0 };
    const first = compareStrings(metadata.name ?? '', name) < 0 ? (metadata.name ?? '') : name;
    this.#violations.set(reason, { name: first, count: count + 1 });
    return true;
  }

  warnings(): string[] {
    const texts = [...this.#violations].map(([reason, { name, count }]) => {
      const more = count === 1 ? '' : count === 2 ? ' (and 1 other pod)' : ` (and ${count - 1} other pods)`;
      return `${name}${more}: ${reason}`;
    });
    return texts.sort(compareStrings);
  }
}
