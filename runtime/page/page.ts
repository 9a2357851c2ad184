import type { IncomingMessage } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';
import type { Authenticator } from '../authentication/authenticator.ts';
import type { ApiMiddleware } from '../http/context.ts';
import { queryValue } from '../http/query-string.ts';
import { removeHeaders } from '../http/remove-headers.ts';
import { respondObject } from '../http/respond.ts';
import { StatusError } from '../machinery/errors/status.ts';
import type { Logger } from '../machinery/logger.ts';
import type { UserInfo } from '../machinery/user-info.ts';
import { packageVersion } from '../machinery/version.ts';
import { type ActivityLog, recordedBy } from './activity-log.ts';
import { OneTimeLinks } from './one-time-links.ts';
import { OwnNames } from './own-names.ts';
import { PageFiles } from './page-files.ts';
import { guardResponse, type PageResponse, refuse, send } from './page-response.ts';
import { activityPath, apiPrefix, linkOf, linksPath, loginPath, logoutPath, pagePath } from './paths.ts';
import { isFromPage, isNavigation, isProvenFromPage, type RequestOrigin, requestOrigin } from './request-origin.ts';
import { SessionCookie } from './session-cookie.ts';
import { hasKey, type Session, Sessions, sessionLifetime } from './sessions.ts';

type PageRequest = IncomingMessage | Http2ServerRequest;
type Listener = (request: PageRequest, response: PageResponse) => unknown;

/** The header with the key of the session, which only scripts of the page can send. */
const keyHeader = 'x-kubeloom-page';

const reads: readonly string[] = ['GET', 'HEAD'];

/** The place of an open server. */
export interface PagePlace {
  /** For example `https://127.0.0.1:6443`. */
  readonly url: string;
  /** Returns the PEM of the certificates that are served now. */
  certificates(): readonly string[];
}

/** A request for a path of the page, as far as it is checked. */
interface Visit {
  readonly request: PageRequest;
  readonly response: PageResponse;
  readonly path: string;
  readonly query: string;
  readonly from: RequestOrigin;
  readonly isHead: boolean;
}

/**
 * The page of a server: its files, and the sessions of the browsers that show it. Requests without a session pass on to the
 * server as if there were no page.
 */
export class Page {
  readonly #links: OneTimeLinks;
  readonly #sessions: Sessions;
  readonly #files = new PageFiles();
  readonly #logger: Logger;
  readonly #activity: ActivityLog;
  /** The users of requests to the API that a session has sent. */
  readonly #users = new WeakMap<object, UserInfo>();
  #place: { readonly url: string; readonly names: OwnNames; readonly cookie: SessionCookie } | undefined;

  /** @param now returns milliseconds of real time, because browsers know no other */
  constructor(logger: Logger, activity: ActivityLog, now: () => number = () => performance.now()) {
    this.#logger = logger;
    this.#activity = activity;
    this.#links = new OneTimeLinks(now);
    this.#sessions = new Sessions(now);
  }

  /** Sets the place when the port is open. */
  listening({ url, certificates }: PagePlace): void {
    const { hostname, port } = new URL(url);
    const names = new OwnNames(hostname.replace(/^\[|\]$/g, ''), certificates);
    this.#place = { url, names, cookie: new SessionCookie(Number(port || 443)) };
  }

  /** Returns a link that opens the page once, in the name of a user. */
  link(user: UserInfo): string {
    return `${this.#place?.url ?? ''}${linkOf(this.#links.issue(user))}`;
  }

  /** Authenticates requests to the API from the page. */
  readonly authenticator: Authenticator = { authenticate: (request) => this.#users.get(request) };

  /** Refuses connections to other programs: the page's origin is no place for what they respond. */
  readonly filter: ApiMiddleware = (ctx, next) => {
    if (this.#users.has(ctx.req)) {
      const { subresource, verb } = ctx.state.requestInfo;
      if (subresource === 'proxy' || verb === 'proxy') throw notFromPage();
    }
    return next();
  };

  /** Logs all requests but the page's own reads. @param before a filter that runs before */
  recording(before: ApiMiddleware | undefined): ApiMiddleware {
    return recordedBy(this.#activity, ({ req, method }) => !(this.#users.has(req) && reads.includes(method)), before);
  }

  /** Serves links and the activity to authorized users. Passes other requests on. */
  endpoint(next: ApiMiddleware): ApiMiddleware {
    return (ctx, after) => {
      const { user, requestInfo, query } = ctx.state;
      if (requestInfo.path === linksPath && ctx.method === 'POST' && user !== undefined) {
        return respondObject(ctx, 201, { path: linkOf(this.#links.issue(user)) });
      }
      if (requestInfo.path === activityPath && ctx.method === 'GET') {
        return respondObject(ctx, 200, this.#activity.since(Number(queryValue(query, 'since') ?? 0)));
      }
      return next(ctx, after);
    };
  }

  /** Serves the page in front of a server. */
  serve(server: Listener): Listener {
    return (request, response) => {
      const url = request.url ?? '/';
      if (!url.startsWith(pagePath)) return server(request, response);
      const [path = '', query = ''] = url.split('?', 2);
      if (path !== pagePath && !path.startsWith(`${pagePath}/`)) return server(request, response);
      const visit = { request, response, path, query, from: requestOrigin(request.headers), isHead: request.method === 'HEAD' };
      return this.#visit(visit, server);
    };
  }

  #visit(visit: Visit, server: Listener): unknown {
    const { request, response, path, from, isHead } = visit;
    const place = this.#place;
    if (place === undefined) return server(request, response);
    if (path === loginPath && this.#logIn(visit, place)) return;
    const values = place.cookie.valuesOf(request.headers.cookie);
    if (values.length === 0) return server(request, response);
    if (!place.names.has(from.hostname)) return refuse(response, isHead, 403, 'The server has no such name.');
    if (request.headers.upgrade !== undefined) return refuse(response, isHead, 403, 'The page opens no such connections.');
    const id = values.find((value) => this.#sessions.find(value) !== undefined);
    const session = id === undefined ? undefined : this.#sessions.find(id);
    if (id === undefined || session === undefined) {
      if (path.startsWith(`${apiPrefix}/`)) return refuse(response, isHead, 401, ended);
      response.setHeader('Set-Cookie', place.cookie.removal);
      return refuse(response, isHead, 401, ended);
    }
    if (path.startsWith(`${apiPrefix}/`)) return this.#passOn(visit, session, server);
    if (path === logoutPath) return this.#logOut(visit, id, session, place.cookie);
    return this.#respondFile(visit);
  }

  /** Trades a link for a session. Returns false if the request has no valid link. */
  #logIn({ request, response, query, from }: Visit, { names, cookie }: { names: OwnNames; cookie: SessionCookie }): boolean {
    const secret = new URLSearchParams(query).get('link') ?? '';
    // a refused request uses no link up
    if (request.method !== 'GET' || secret === '' || !names.has(from.hostname) || !isNavigation(from)) return false;
    const user = this.#links.redeem(secret);
    if (user === undefined) return false;
    const { id, key } = this.#sessions.open(user);
    this.#logger.info({ user: user.name }, 'a browser opened the page');
    guardResponse(response, 'leading');
    // A document that leads on, because after a redirect from another site browsers would not send the cookie.
    const next = `${pagePath}/#key=${key}`;
    send(response, false, {
      status: 200,
      mediaType: 'text/html; charset=utf-8',
      content: `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=${next}"><title>Kubeloom</title>\n`,
      headers: { 'Set-Cookie': cookie.set(id, sessionLifetime / 1000) },
    });
    return true;
  }

  #passOn({ request, response, from, isHead }: Visit, session: Session, server: Listener): unknown {
    const isRead = reads.includes(request.method ?? '');
    const mayPass = isRead ? isFromPage(from) : isProvenFromPage(from);
    if (!sendsKey(request, session)) return refuse(response, isHead, 401, ended);
    if (!mayPass) return refuse(response, isHead, 403, 'Only the page itself may send this request.');
    guardResponse(response, 'nothing');
    // other servers that the request may reach are not to see the session
    removeHeaders(request, isPrivate);
    setUserAgent(request);
    request.url = (request.url ?? '').slice(apiPrefix.length);
    this.#users.set(request, session.user);
    return server(request, response);
  }

  #logOut({ request, response, from, isHead }: Visit, id: string, session: Session, cookie: SessionCookie): unknown {
    if (request.method !== 'POST') return refuse(response, isHead, 405, 'POST ends the session.');
    if (!isProvenFromPage(from) || !sendsKey(request, session))
      return refuse(response, isHead, 403, 'Only the page itself may end its session.');
    this.#sessions.end(id);
    guardResponse(response, 'nothing');
    return send(response, isHead, { status: 200, mediaType: 'text/plain', content: '', headers: { 'Set-Cookie': cookie.removal } });
  }

  async #respondFile({ request, response, path, from, isHead }: Visit): Promise<unknown> {
    if (!reads.includes(request.method ?? '')) return refuse(response, isHead, 405, 'These are files.');
    const isDocument = path === pagePath || path === `${pagePath}/`;
    const mayRead = isDocument ? isNavigation(from) && from.site !== 'cross-site' : isFromPage(from);
    if (!mayRead) return refuse(response, isHead, 403, 'Only the page itself may read this file.');
    if (path === pagePath) {
      guardResponse(response, 'nothing');
      return send(response, isHead, { status: 308, mediaType: 'text/plain', content: '', headers: { Location: `${pagePath}/` } });
    }
    const file = await this.#files.read(isDocument ? 'index.html' : path.slice(pagePath.length + 1));
    if (file === undefined)
      return refuse(response, isHead, 404, isDocument ? 'The page was not built: npm run build.' : 'There is no such file.');
    guardResponse(response, 'page');
    const headers = { 'Cache-Control': isDocument ? 'no-store' : 'private, max-age=86400' };
    return send(response, isHead, { status: 200, ...file, headers });
  }
}

const ended = 'This session has ended. `kubeloom ui` makes a new link.';

const notFromPage = (): StatusError =>
  new StatusError({ code: 403, reason: 'Forbidden', message: 'the page opens no connections to other programs' });

function sendsKey({ headers }: PageRequest, session: Session): boolean {
  const key = headers[keyHeader];
  return typeof key === 'string' && hasKey(session, key);
}

const privateHeaders: ReadonlySet<string> = new Set(['cookie', keyHeader, 'authorization', 'user-agent', 'origin', 'referer']);

const isPrivate = (name: string): boolean => privateHeaders.has(name.toLowerCase());

/** Names the page in logs and managed fields, where all browsers would be `Mozilla`. */
function setUserAgent(request: PageRequest): void {
  const agent = `kubeloom-page/${packageVersion()}`;
  request.headers['user-agent'] = agent;
  request.rawHeaders.push('user-agent', agent);
}
