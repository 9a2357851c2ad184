import { timingSafeEqual } from 'node:crypto';
import type { UserInfo } from '../machinery/user-info.ts';
import { digestOf, newSecret } from './secret.ts';

/** The most links that wait for their use. A further one replaces the oldest. */
const maxPending = 64;
/** Milliseconds in which a link can be used. */
export const linkLifetime = 5 * 60_000;

interface PendingLink {
  readonly digest: Buffer;
  readonly user: UserInfo;
  readonly until: number;
}

/** The secrets in links to the page, each of which opens one session of one user. */
export class OneTimeLinks {
  readonly #now: () => number;
  #pending: readonly PendingLink[] = [];

  /** @param now returns milliseconds of real time */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Returns a new secret for a user. */
  issue(user: UserInfo): string {
    const secret = newSecret();
    const link = { digest: digestOf(secret), user, until: this.#now() + linkLifetime };
    this.#pending = [...this.#current(), link].slice(-maxPending);
    return secret;
  }

  /** Uses a secret up. Returns undefined for an unknown, used or late one. */
  redeem(secret: string): UserInfo | undefined {
    const digest = digestOf(secret);
    let found: PendingLink | undefined;
    // no early end: the time says nothing about the links
    for (const link of this.#current()) if (timingSafeEqual(link.digest, digest)) found = link;
    this.#pending = this.#current().filter((link) => link !== found);
    return found?.user;
  }

  #current(): readonly PendingLink[] {
    const now = this.#now();
    return this.#pending.filter(({ until }) => until > now);
  }
}
