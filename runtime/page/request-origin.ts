import type { IncomingHttpHeaders } from 'node:http';

/** Where a request comes from, as far as its headers say. */
export interface RequestOrigin {
  /** The host in the URL, for example `127.0.0.1:6443`. Undefined without a host, or with two different ones. */
  readonly host: string | undefined;
  /** The host without its port and brackets. */
  readonly hostname: string;
  readonly origin: string | undefined;
  /** Which kind of site has sent the request. Absent in requests of programs and old browsers. */
  readonly site: string | undefined;
  readonly destination: string | undefined;
  readonly isPrefetch: boolean;
}

export function requestOrigin(headers: IncomingHttpHeaders): RequestOrigin {
  const host = hostOf(headers);
  return {
    host,
    hostname: hostnameOf(host),
    origin: headers.origin,
    site: textOf(headers['sec-fetch-site']),
    destination: textOf(headers['sec-fetch-dest']),
    isPrefetch: headers['sec-purpose'] !== undefined || headers.purpose !== undefined,
  };
}

/** Reports whether a request may come from the page itself: nothing in it says that another site has sent it. */
export function isFromPage({ host, origin, site }: RequestOrigin): boolean {
  if (origin !== undefined && origin !== `https://${host}`) return false;
  return site === undefined || site === 'same-origin';
}

/** Reports whether a request that changes something proves that the page has sent it. */
export const isProvenFromPage = (from: RequestOrigin): boolean =>
  isFromPage(from) && (from.origin !== undefined || from.site !== undefined);

const documents: readonly string[] = ['document', 'empty'];

/** Reports whether a user opens a page in a window of its own: typed, from a bookmark, or by a link, but in no frame. */
export const isNavigation = ({ destination, isPrefetch, origin, host }: RequestOrigin): boolean =>
  !isPrefetch && (destination === undefined || documents.includes(destination)) && (origin === undefined || origin === `https://${host}`);

function hostOf(headers: IncomingHttpHeaders): string | undefined {
  const authority = textOf(headers[':authority']);
  const { host } = headers;
  if (authority !== undefined && host !== undefined && authority !== host) return undefined;
  return authority ?? host;
}

function hostnameOf(host = ''): string {
  const hostname = /^(?:\[([^\]]+)\]|([^:]+))(?::\d{1,5})?$/.exec(host);
  return (hostname?.[1] ?? hostname?.[2] ?? '').toLowerCase();
}

const textOf = (value: string | string[] | undefined): string | undefined => (typeof value === 'string' ? value : undefined);
