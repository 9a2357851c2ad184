/**
 * Steps of the start that end after the port is open. A server is announced when its kubeconfig is written and clients
 * may use the test controls.
 */
export type Milestone = 'flow control configured' | 'control plane started' | 'announced';

interface Awaited {
  readonly promise: Promise<void>;
  resolve(): void;
}

/** The progress of a start, which /readyz shows. */
export class Milestones {
  readonly #awaited = new Map<Milestone, Awaited>();

  reached(milestone: Milestone): void {
    this.#get(milestone).resolve();
  }

  /** Resolves when the milestone is reached. */
  when(milestone: Milestone): Promise<void> {
    return this.#get(milestone).promise;
  }

  #get(milestone: Milestone): Awaited {
    let awaited = this.#awaited.get(milestone);
    if (awaited === undefined) {
      let resolve = (): void => undefined;
      const promise = new Promise<void>((resolved) => {
        resolve = resolved;
      });
      awaited = { promise, resolve };
      this.#awaited.set(milestone, awaited);
    }
    return awaited;
  }
}
