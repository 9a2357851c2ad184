import { pagePath } from './paths.ts';

/** The most cookies of the name that are read. Other servers of the host can set some. */
const maxCookies = 8;

/** The cookie of one server. Hosts share their cookies between ports, so the name has the port. */
export class SessionCookie {
  readonly #name: string;

  constructor(port: number) {
    this.#name = `__Secure-kubeloom-${port}`;
  }

  /** Returns the header Set-Cookie. Scripts cannot read the cookie, and no other site can have it sent. */
  set(id: string, seconds: number): string {
    return `${this.#name}=${id}; Path=${pagePath}; Max-Age=${seconds}; Secure; HttpOnly; SameSite=Strict`;
  }

  /** Returns the header Set-Cookie that removes the cookie. */
  get removal(): string {
    return this.set('', 0);
  }

  /** Returns the values in a header Cookie. */
  valuesOf(header: string | undefined): readonly string[] {
    if (header === undefined) return [];
    const prefix = `${this.#name}=`;
    return header
      .split(/; ?/, 256)
      .filter((pair) => pair.startsWith(prefix))
      .slice(0, maxCookies)
      .map((pair) => pair.slice(prefix.length));
  }
}
