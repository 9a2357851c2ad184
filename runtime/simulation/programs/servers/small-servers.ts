import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { formatDuration } from '../../../machinery/go/duration.ts';
import { joinHostPort } from '../../../machinery/go/join-host-port.ts';
import { serving } from '../../network/listener.ts';
import { FileError, resolvePath } from '../../streams/container-files.ts';
import { flagsOf, numberFlag } from './flags.ts';
import { http, pathOf, queryOf, respond, respondError } from './http-service.ts';
import { redirect } from './netexec.ts';
import { logLine, type ServedPort, type ServerHost, type ServerProgram, tcp, udp } from './server.ts';

/* Servers of agnhost that a few lines describe. (test/images/agnhost) */

/** Serves the value of each variable `SERVE_PORT_80`. */
export function porter({ args, env }: ServerHost): ServerProgram {
  const isJson = flagsOf(args).get('json-response') === 'true';
  const ports: ServedPort[] = [];
  for (const [name, value] of env) {
    const [, kind, text] = /^SERVE_(SCTP_)?PORT_(\d{1,5})$/.exec(name) ?? [];
    if (text === undefined) continue;
    if (kind === undefined) {
      const listener = http(({ method = 'GET' }, response) => {
        if (isJson) respond(response, 200, JSON.stringify({ Method: method, Body: value }), 'application/json');
        else respond(response, 200, value);
      });
      ports.push(tcp(Number(text), listener));
    } else {
      const listener = serving((connection) => void connection.end(Buffer.from(value)));
      ports.push({ port: Number(text), protocol: 'SCTP', listener });
    }
  }
  return { greeting: [], ports };
}

export function serveHostname({ args, hostname, clock, print, startedAt }: ServerHost): ServerProgram {
  const flags = flagsOf(args);
  const isOn = (name: string, fallback: boolean): boolean => (flags.get(name) ?? String(fallback)) === 'true';
  const port = numberFlag(flags, 'port', 9376);
  const log = (message: string): void => print(logLine(clock, message));
  const placeOf = ({ remoteAddress = '', remotePort = 0 }: Pick<Socket, 'remoteAddress' | 'remotePort'>): string =>
    joinHostPort(remoteAddress, remotePort);
  const ports: ServedPort[] = [];
  if (isOn('tcp', false)) {
    const listener = serving((connection, from) => {
      log(`TCP request from ${joinHostPort(from.address, from.port)}`);
      connection.end(hostname);
    });
    ports.push(tcp(port, listener));
  }
  if (isOn('udp', false)) {
    const listener = serving(async (connection, from) => {
      for await (const _ of connection) {
        log(`UDP request from ${joinHostPort(from.address, from.port)}`);
        connection.write(Buffer.from(hostname));
      }
    });
    ports.push(udp(port, listener));
  }
  if (isOn('http', true) && ports.length === 0) {
    const listener = http(({ socket }, response) => {
      log(`HTTP request from ${placeOf(socket)}`);
      if (isOn('close', false)) response.setHeader('Connection', 'close');
      respond(response, 200, hostname);
    });
    ports.push(tcp(port, listener));
  }
  return { greeting: [logLine({ ...clock, now: () => startedAt }, `Serving on port ${port}.`)], ports };
}

/** Milliseconds for which the server is healthy. */
const healthyFor = 10_000;

export function liveness({ clock, startedAt }: ServerHost): ServerProgram {
  const listener = http((request, response) => {
    const age = clock.now() - startedAt;
    const nanoseconds = BigInt(Math.round(age * 1_000_000));
    switch (pathOf(request)) {
      case '/started':
        return respond(response, 200, formatDuration(nanoseconds));
      case '/healthz':
        return age > healthyFor ? respond(response, 500, `error: ${age / 1000}`) : respond(response, 200, 'ok');
      case '/redirect':
        return redirect(response, decodeURIComponent(queryOf(request).get('loc') ?? ''), 302);
      default:
        return respondError(response, 404, '404 page not found');
    }
  });
  return { greeting: [], ports: [tcp(8080, listener)] };
}

/** Serves the files of the container. */
export function testWebserver({ args, files }: ServerHost): ServerProgram {
  const listener = http((request, response) => {
    response.setHeader('Cache-Control', 'private');
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Access-Control-Allow-Credentials', 'true');
    const path = resolvePath('/', pathOf(request));
    try {
      const node = files.stat(path);
      if (node?.kind === 'file') return respond(response, 200, files.read(path).toString());
      if (node?.kind === 'folder') {
        const names = files.list(path).map((name) => (files.isFolder(resolvePath(path, name)) ? `${name}/` : name));
        const lines = names.map((name) => `<a href="${encodeURIComponent(name).replaceAll('%2F', '/')}">${name}</a>\n`);
        return respond(
          response,
          200,
          `<!doctype html>\n<meta name="viewport" content="width=device-width">\n<pre>\n${lines.join('')}</pre>\n`,
          'text/html; charset=utf-8',
        );
      }
      return respondError(response, 404, '404 page not found');
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      return respondError(response, 403, '403 Forbidden');
    }
  });
  return { greeting: [], ports: [tcp(numberFlag(flagsOf(args), 'port', 80), listener)] };
}

/** Resets each connection after its first byte. */
export function tcpReset({ args, clock, print, startedAt }: ServerHost): ServerProgram {
  const port = numberFlag(flagsOf(args), 'port', 8080);
  const listener = serving((connection: Duplex, from) => {
    connection.once('data', () => {
      connection.destroy();
      print(logLine(clock, `TCP request from ${joinHostPort(from.address, from.port)}`));
    });
  });
  return { greeting: [logLine({ ...clock, now: () => startedAt }, `Serving on port ${port}.`)], ports: [tcp(port, listener)] };
}

const welcome = (title: string, text: string): string =>
  `<!DOCTYPE html>\n<html>\n<head>\n<title>${title}</title>\n</head>\n<body>\n<h1>${title}</h1>\n<p>${text}</p>\n</body>\n</html>\n`;

/** Where the web servers have their files, and the page that their images have there. */
const webServers = {
  nginx: {
    root: '/usr/share/nginx/html',
    name: 'nginx/1.27.0',
    page: welcome('Welcome to nginx!', 'This page is served by the simulation of nginx.'),
  },
  httpd: { root: '/usr/local/apache2/htdocs', name: 'Apache/2.4.38 (Unix)', page: '<html><body><h1>It works!</h1></body></html>\n' },
} as const;

const fileTypes: Readonly<Record<string, string>> = {
  css: 'text/css',
  html: 'text/html',
  js: 'application/javascript',
  json: 'application/json',
  txt: 'text/plain',
};

/** Serves the files of nginx or Apache, with their first page. */
export const webServer =
  (kind: keyof typeof webServers) =>
  ({ files }: ServerHost): ServerProgram => {
    const { root, name, page } = webServers[kind];
    const listener = http((request, response) => {
      response.setHeader('Server', name);
      const asked = pathOf(request);
      const path = resolvePath('/', `${root}/${resolvePath('/', asked)}${asked.endsWith('/') ? '/index.html' : ''}`);
      if (request.method !== 'GET' && request.method !== 'HEAD')
        return respond(response, 405, errorPage(405, 'Not Allowed', name), 'text/html');
      const type = fileTypes[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
      if (files.isFile(path)) return respond(response, 200, files.read(path).toString(), type);
      if (path === `${root}/index.html` && !files.isFolder(root)) return respond(response, 200, page, 'text/html');
      return respond(response, 404, errorPage(404, 'Not Found', name), 'text/html');
    });
    return { greeting: [], ports: [tcp(80, listener)] };
  };

const errorPage = (code: number, reason: string, name: string): string =>
  `<html>\r\n<head><title>${code} ${reason}</title></head>\r\n<body>\r\n<center><h1>${code} ${reason}</h1></center>\r\n` +
  `<hr><center>${name}</center>\r\n</body>\r\n</html>\r\n`;
