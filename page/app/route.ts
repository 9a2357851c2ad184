import { computed, signal } from '@preact/signals';

/** What the page shows, as the part of its address after `#`. */
export interface Route {
  readonly view: string;
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
}

const hash = signal(location.hash);
addEventListener('hashchange', () => {
  hash.value = location.hash;
});

export const route = computed<Route>(() => {
  const [path = '', query = ''] = hash.value.replace(/^#\/?/, '').split('?', 2);
  const [view = '', ...parts] = path.split('/').map(decoded);
  return { view: view === '' ? 'resources' : view, parts, query: new URLSearchParams(query) };
});

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns the address of a view. Empty parts are written as `-`, empty parameters are left out. */
export function hrefOf(view: string, parts: readonly string[] = [], query: Readonly<Record<string, string>> = {}): string {
  const path = [view, ...parts.map((part) => encodeURIComponent(part === '' ? '-' : part))].join('/');
  const filled = Object.entries(query).filter(([, value]) => value !== '');
  return `#/${path}${filled.length === 0 ? '' : `?${new URLSearchParams(filled)}`}`;
}

export function go(href: string): void {
  location.hash = href.slice(1);
}

/** Changes parameters of the current address, without a step in the history of the browser. */
export function setQuery(changes: Readonly<Record<string, string>>): void {
  const { view, parts, query } = route.value;
  const href = hrefOf(view, parts, { ...Object.fromEntries(query), ...changes });
  history.replaceState(undefined, '', href);
  hash.value = href;
}

/** Reads a part that may be empty. */
export const partOf = (part: string | undefined): string => (part === undefined || part === '-' ? '' : part);
