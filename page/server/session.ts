import { signal } from '@preact/signals';

const place = 'kubeloom-session-key';

/** Reads the key from the address that the link leads to, and removes it from there. */
function takeKey(): string {
  const given = /^#key=([\w-]+)/.exec(location.hash)?.[1];
  if (given !== undefined) {
    localStorage.setItem(place, given);
    history.replaceState(undefined, '', location.pathname);
  }
  return localStorage.getItem(place) ?? '';
}

/** The key of the session, for the header of each request. The cookie goes with it by itself. */
export const sessionKey = takeKey();

/** Whether the server does not know the session any more. */
export const sessionEnded = signal(false);
