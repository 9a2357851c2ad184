import type * as core from '../../../../generated/v1.35/core/v1/types.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';

export type Toleration = Unvalidated<core.Toleration>;

/** The compared parts of a toleration. An empty operator means Equal. */
interface Terms {
  readonly key: string;
  readonly operator: string;
  readonly value: string;
  readonly effect: string;
  /** Infinity without a limit. */
  readonly seconds: number;
  /** The same text for equal tolerations. */
  readonly identity: string;
}

function termsOf({ key = '', operator = '', value = '', effect = '', tolerationSeconds }: Toleration): Terms {
  const identity = JSON.stringify([key, operator, value, effect, String(tolerationSeconds)]);
  const seconds = tolerationSeconds === undefined ? Number.POSITIVE_INFINITY : Number(tolerationSeconds);
  return { key, operator, value, effect, seconds, identity };
}

interface Candidate {
  readonly identity: string;
  readonly seconds: number;
}

/**
 * Tolerations by the taints that they tolerate. The search for a superset costs a few look-ups, for any number of
 * tolerations.
 */
class TolerationSet {
  readonly #identities = new Set<string>();
  /** The two different tolerations of a class with the longest seconds. */
  readonly #longest = new Map<string, [Candidate, Candidate?]>();

  add({ identity, seconds, key, operator, value, effect }: Terms): void {
    this.#identities.add(identity);
    const name = classOf(operator === 'Exists' ? 'Exists' : value, operator === 'Exists', key, effect);
    if (!['', 'Equal', 'Exists'].includes(operator)) return;
    const [first, second] = this.#longest.get(name) ?? [];
    const candidate = { identity, seconds };
    if (first === undefined) this.#longest.set(name, [candidate]);
    else if (identity === first.identity || identity === second?.identity) return;
    else if (seconds > first.seconds) this.#longest.set(name, [candidate, first]);
    else if (second === undefined || seconds > second.seconds) this.#longest.set(name, [first, candidate]);
  }

  /** Reports whether the set contains the toleration, or another one that tolerates all its taints. (isSuperset) */
  covers(terms: Terms): boolean {
    return this.#identities.has(terms.identity) || this.coversMore(terms);
  }

  /** Reports whether another toleration of the set tolerates all taints of the given one. */
  coversMore({ key, operator, value, effect, seconds, identity }: Terms): boolean {
    const lasts = (name: string, of: string): boolean =>
      (this.#longest.get(name) ?? []).some(
        (candidate) => candidate !== undefined && candidate.identity !== identity && (of !== 'NoExecute' || candidate.seconds >= seconds),
      );
    return [effect, ''].some(
      (of) =>
        lasts(classOf('Exists', true, key, of), of) ||
        lasts(classOf('Exists', true, '', of), of) ||
        (operator === 'Equal' && lasts(classOf(value, false, key, of), of)),
    );
  }
}

const classOf = (value: string, exists: boolean, key: string, effect: string): string => JSON.stringify([exists, value, key, effect]);

/** Merges lists of tolerations. Drops a toleration if another one tolerates all its taints. (MergeTolerations) */
export function mergeTolerations(first: readonly Toleration[], second: readonly Toleration[]): Toleration[] {
  const all = [...first, ...second].map((toleration) => ({ toleration, terms: termsOf(toleration) }));
  const later = new TolerationSet();
  const needed = all
    .reverse()
    .filter(({ terms }) => {
      const isNeeded = !later.coversMore(terms);
      later.add(terms);
      return isNeeded;
    })
    .reverse();
  const merged = new TolerationSet();
  return needed.flatMap(({ toleration, terms }) => {
    if (merged.covers(terms)) return [];
    merged.add(terms);
    return [toleration];
  });
}

/** Reports whether the list allows each toleration. An empty list allows all. (VerifyAgainstWhitelist) */
export function verifyAgainstWhitelist(tolerations: readonly Toleration[], whitelist: readonly Toleration[]): boolean {
  if (whitelist.length === 0) return true;
  const allowed = new TolerationSet();
  for (const one of whitelist) allowed.add(termsOf(one));
  return tolerations.every((one) => allowed.covers(termsOf(one)));
}

/**
 * Adds tolerations. An added one replaces those of the pod that differ only in their seconds.
 * (AddOrUpdateTolerationInPod)
 */
export function addOrUpdateTolerations(spec: Unvalidated<core.PodSpec>, added: readonly Toleration[]): void {
  const missing = new Map(added.map((one) => [matchedTerms(one), one]));
  const wanted = new Map(missing);
  const kept = (spec.tolerations ?? []).map((one) => {
    const terms = matchedTerms(one);
    missing.delete(terms);
    return wanted.get(terms) ?? one;
  });
  if (kept.length + missing.size > 0) spec.tolerations = [...kept, ...missing.values()];
}

const matchedTerms = ({ tolerationSeconds: _, ...toleration }: Toleration): string => termsOf(toleration).identity;
