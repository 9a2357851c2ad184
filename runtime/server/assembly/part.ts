import { defined } from '../../machinery/json/defined.ts';

/**
 * One piece of a server, with its needs and the functions that open and close it.
 *
 *     export const listers = part('listers', {
 *       needs: { stores, delegate },
 *       open: ({ stores, delegate }) => new Listers(stores, true, delegate),
 *     });
 *
 * A part names its needs by reference, so the compiler knows the type of each.
 */
export interface Part<T> {
  readonly name: string;
  readonly needs: Needs;
  /** Opens the part with the values of its needs. */
  open(find: FindValue): T | Promise<T>;
  /** Runs when the server begins to shut down, while requests are still served. */
  withdraw?(opened: T): Promise<void> | void;
  /** Runs after the last request, in the reverse order of opening. */
  close?(opened: T): Promise<void> | void;
  /** The way in which a fork obtains the part. Default: the fork opens a new one. */
  readonly fork?: Fork<T> | undefined;
}

/** The two steps in which a fork obtains a part from its origin. */
export interface Fork<T> {
  /**
   * Takes the data that the fork needs. All parts take in one turn of the event loop, so that the data is consistent.
   * Undefined makes the fork open a new part.
   */
  take(opened: T, moment: never): unknown;
  /** Opens the fork's part with the result of `take`. */
  open(taken: never, find: FindValue): T | Promise<T>;
}

/** A need that is undefined if its part is not on the list. */
export interface OptionalNeed<T> {
  readonly optional: Part<T>;
}

export type Needs = Readonly<Record<string, Part<unknown> | OptionalNeed<unknown>>>;

/** Returns the value of an open part; undefined for a part that is not on the list. */
export type FindValue = <T>(part: Part<T>) => T | undefined;

/** The values of needs by name. */
export type Opened<N extends Needs> = {
  readonly [K in keyof N]: N[K] extends OptionalNeed<infer T> ? T | undefined : N[K] extends Part<infer T> ? T : never;
};

/** The argument of `part`. `M` is the moment of a fork, `F` the value that the fork takes. */
export interface PartDefinition<T, N extends Needs, M, F> {
  readonly needs: N;
  open(needs: Opened<N>): T | Promise<T>;
  withdraw?(opened: T): Promise<void> | void;
  close?(opened: T): Promise<void> | void;
  readonly fork?: {
    take(opened: T, moment: M): F | undefined;
    open(taken: F, needs: Opened<N>): T | Promise<T>;
  };
}

/**
 * Defines a part.
 *
 * @param name for errors about the assembly
 */
export function part<T, const N extends Needs, M, F>(name: string, definition: PartDefinition<T, N, M, F>): Part<T> {
  const { needs, open, withdraw, close, fork } = definition;
  const needsOf = (find: FindValue): Opened<N> => openedNeeds(needs, find);
  return {
    name,
    needs,
    ...defined({ withdraw, close }),
    open: (find) => open(needsOf(find)),
    ...(fork && {
      fork: {
        take: fork.take,
        open: (taken: F, find) => fork.open(taken, needsOf(find)),
      },
    }),
  };
}

/** Defines a part whose value comes with the list, before other parts open. */
export function input<T>(name: string): Part<T> {
  return part(name, {
    needs: {},
    open(): T {
      throw new Error(`the assembly lacks the input "${name}"`);
    },
  });
}

/** Makes a need optional. */
export const optional = <T>(needed: Part<T>): OptionalNeed<T> => ({ optional: needed });

/** Returns the needs of a part. */
export function neededParts({ needs }: Part<unknown>): readonly { part: Part<unknown>; isOptional: boolean }[] {
  return Object.values(needs).map((need) =>
    'optional' in need ? { part: need.optional, isOptional: true } : { part: need, isOptional: false },
  );
}

function openedNeeds<N extends Needs>(needs: N, find: FindValue): Opened<N> {
  const values = Object.entries(needs).map(([name, need]) => {
    return [name, find('optional' in need ? need.optional : need)] as const;
  });
  return Object.fromEntries(values) as Opened<N>;
}
