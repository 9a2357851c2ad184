import { timingSafeEqual } from 'node:crypto';
import type { UserInfo } from '../machinery/user-info.ts';
import { digestOf, newSecret } from './secret.ts';

/** The most sessions. A further one ends the oldest. */
const maxSessions = 256;
/** Milliseconds after which a session ends, used or not. */
export const sessionLifetime = 12 * 60 * 60_000;

/** One browser that a user has opened the page in. */
export interface Session {
  readonly user: UserInfo;
  readonly keyDigest: Buffer;
  readonly until: number;
}

/** The two secrets of a new session. */
export interface SessionSecrets {
  /** The value of the cookie. */
  readonly id: string;
  /** The header of the page's own requests. Other servers on the host receive the cookie, but never this key. */
  readonly key: string;
}

/** The sessions of a server. They end with it. */
export class Sessions {
  readonly #now: () => number;
  /** Sessions by the digest of their id, the oldest first. */
  readonly #all = new Map<string, Session>();

  /** @param now returns milliseconds of real time */
  constructor(now: () => number) {
    this.#now = now;
  }

  open(user: UserInfo): SessionSecrets {
    this.#dropLate();
    const [oldest] = this.#all.keys();
    if (this.#all.size >= maxSessions && oldest !== undefined) this.#all.delete(oldest);
    const secrets = { id: newSecret(), key: newSecret() };
    this.#all.set(nameOf(secrets.id), { user, keyDigest: digestOf(secrets.key), until: this.#now() + sessionLifetime });
    return secrets;
  }

  /** Returns undefined for an unknown or ended session. */
  find(id: string): Session | undefined {
    const session = this.#all.get(nameOf(id));
    return session !== undefined && session.until > this.#now() ? session : undefined;
  }

  end(id: string): void {
    this.#all.delete(nameOf(id));
  }

  #dropLate(): void {
    const now = this.#now();
    for (const [name, { until }] of this.#all) if (until <= now) this.#all.delete(name);
  }
}

/** Reports whether a request has the key of its session. */
export const hasKey = ({ keyDigest }: Session, key: string): boolean => timingSafeEqual(keyDigest, digestOf(key));

const nameOf = (id: string): string => digestOf(id).toString('base64');
