import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { parseMilliseconds } from '../../../machinery/go/duration.ts';
import { joinHostPort } from '../../../machinery/go/join-host-port.ts';
import { quote } from '../../../machinery/go/quote.ts';
import { addressesOf } from '../../network/dns/look-up.ts';
import type { Endpoint } from '../../network/endpoint.ts';
import { serving } from '../../network/listener.ts';
import { getText } from './client.ts';
import { flagsOf, numberFlag } from './flags.ts';
import { bodyOf, formOf, http, pathOf, queryOf, respond, respondError } from './http-service.ts';
import { logLine, type ServerHost, type ServerProgram, tcp, udp } from './server.ts';

/** The most requests of one `/dial`. */
const maxTries = 1000;
/** Milliseconds that a client waits for an answer. */
const answerTimeout = 5000;

type Route = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void;

/** agnhost netexec. (test/images/agnhost/netexec) */
export function netexec(host: ServerHost): ServerProgram {
  const flags = flagsOf(host.args);
  const httpPort = numberFlag(flags, 'http-port', 8080);
  const udpPort = numberFlag(flags, 'udp-port', 8081);
  const sctpPort = numberFlag(flags, 'sctp-port', -1);
  const override = flags.get('http-override') ?? '';
  const hasDatagrams = udpPort !== -1 || sctpPort !== -1;
  const log = (message: string): void => host.print(logLine(host.clock, message));
  const routes = routesOf(host, { httpPort, isHealthy: hasDatagrams, log });
  const serve: Route = (request, response) => {
    if (override !== '') Object.assign(request, { url: override, method: 'GET' });
    const route = routes[pathOf(request)] ?? routes['/'];
    return route?.(request, response);
  };
  const answer = serving((connection, from) => answerDatagrams(connection, from, host, udpPort));
  return {
    greeting: [
      logLine({ ...host.clock, now: () => host.startedAt }, `Started HTTP server on port ${httpPort}`),
      ...(udpPort === -1 ? [] : [logLine({ ...host.clock, now: () => host.startedAt }, `Started UDP server on port  ${udpPort}`)]),
    ],
    ports: [
      tcp(httpPort, http(serve)),
      ...(udpPort === -1 ? [] : [udp(udpPort, answer)]),
      ...(sctpPort === -1 ? [] : [{ port: sctpPort, protocol: 'SCTP', listener: answer } as const]),
    ],
  };
}

interface Given {
  readonly httpPort: number;
  readonly isHealthy: boolean;
  log(message: string): void;
}

function routesOf(host: ServerHost, { httpPort, isHealthy, log }: Given): Readonly<Record<string, Route>> {
  const says =
    (line: string, text: (request: IncomingMessage) => string): Route =>
    (request, response) => {
      log(line);
      respond(response, 200, text(request));
    };
  return {
    '/': says('GET /', () => `NOW: ${goTime(host.clock.now())}`),
    '/clientip': says('GET /clientip', ({ socket }) => joinHostPort(socket.remoteAddress ?? '', socket.remotePort ?? 0)),
    '/serverport': says('GET /serverport', () => String(httpPort)),
    '/hostname': says('GET /hostname', () => host.hostname),
    '/hostName': says('GET /hostName', () => host.hostname),
    '/header': async (request, response) => {
      const key = (await formOf(request)).get('key') ?? '';
      log(key === '' ? 'GET /header' : `GET /header?key=${key}`);
      const value = request.headers[key.toLowerCase()];
      respond(response, 200, key === '' ? JSON.stringify(goHeaders(request)) : String(Array.isArray(value) ? value[0] : (value ?? '')));
    },
    '/echo': async (request, response) => {
      const form = await formOf(request);
      const [message, code] = [form.get('msg') ?? '', form.get('code') ?? ''];
      log(`GET /echo?msg=${message}&code=${code}`);
      if (code === '') respond(response, 200, message);
      else if (!/^[-+]?\d{1,9}$/.test(code)) {
        respond(response, 200, `argument 'code' must be an integer or empty, got ${quote(code)}\n`);
      } else respond(response, statusOf(code), message);
    },
    '/exit': async (request, response) => {
      const form = await formOf(request);
      const [wait, timeout, code] = ['wait', 'timeout', 'code'].map((name) => form.get(name) ?? '') as [string, string, string];
      log(`GET /exit?code=${code}&timeout=${timeout}&wait=${wait}`);
      for (const [name, text] of [
        ['timeout', timeout],
        ['wait', wait],
      ] as const) {
        if (text === '' || millisecondsOf(text) !== undefined) continue;
        return respond(response, 200, `argument '${name}' must be a valid golang duration or empty, got ${quote(text)}\n`);
      }
      if (code !== '' && !/^-?\d{1,9}$/.test(code)) {
        return respond(response, 200, `argument 'code' must be an integer [0-127] or empty, got ${quote(code)}\n`);
      }
      const pause = millisecondsOf(wait) ?? 0;
      const end = (): void => {
        request.socket.destroy();
        host.exit(Number(code) & 255);
      };
      if (millisecondsOf(timeout)) respond(response, 200, '');
      host.clock.after(Math.min(pause, 2 ** 31 - 1), end);
    },
    '/shutdown': (request) => {
      log('GET /shutdown');
      request.socket.destroy();
      host.exit(0);
    },
    '/healthz': (_, response) => {
      log('GET /healthz');
      respond(response, isHealthy ? 200 : 412, '');
    },
    '/readyz': (_, response) => {
      log('GET /readyz');
      if (host.isStopping()) respond(response, 503, 'shutting down');
      else respond(response, isHealthy ? 200 : 412, isHealthy ? 'ok' : '');
    },
    '/redirect': async (request, response) => {
      const form = await formOf(request);
      const [location, code] = [form.get('location') ?? '', form.get('code') ?? ''];
      log(`${request.method} /redirect?msg=${location}&code=${code}`);
      if (code !== '' && !/^\d{1,9}$/.test(code)) {
        return respond(response, 200, `argument 'code' must be an integer or empty, got ${quote(code)}\n`);
      }
      redirect(response, location, code === '' ? 302 : statusOf(code));
    },
    '/shell': async (request, response) => {
      const form = await formOf(request);
      const command = form.get('shellCommand') || form.get('cmd') || '';
      log(`GET /shell?cmd=${command}`);
      const { output, exitCode } = await host.run(command);
      const result = { ...(exitCode === 0 ? {} : { error: `exit status ${exitCode}` }), ...(output === '' ? {} : { output }) };
      respond(response, 200, JSON.stringify(result));
    },
    '/upload': (request, response) => upload(request, response, host, log),
    '/dial': (request, response) => dial(request, response, host, log),
  };
}

const statusOf = (code: string): number => (Number(code) >= 200 && Number(code) <= 999 ? Number(code) : 500);

/** (http.Redirect) */
export function redirect(response: ServerResponse, location: string, code: number): void {
  response.setHeader('Location', location);
  const text = code === 302 ? 'Found' : code === 301 ? 'Moved Permanently' : code === 307 ? 'Temporary Redirect' : String(code);
  respond(
    response,
    code,
    `<a href="${location.replace(/&/g, '&amp;').replace(/"/g, '&#34;')}">${text}</a>.\n\n`,
    'text/html; charset=utf-8',
  );
}

function millisecondsOf(text: string): number | undefined {
  try {
    return parseMilliseconds(text);
  } catch {
    return undefined;
  }
}

/** `2026-01-01 00:00:00 +0000 UTC m=+0.1` of Go's time.Time. */
const goTime = (ms: number): string => `${new Date(ms).toISOString().replace('T', ' ').replace('Z', '')} +0000 UTC`;

function goHeaders({ rawHeaders }: IncomingMessage): Record<string, string[]> {
  const headers: Record<string, string[]> = {};
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase().replace(/(?:^|-)[a-z]/g, (start) => start.toUpperCase());
    if (name !== 'Host') headers[name] = [...(headers[name] ?? []), rawHeaders[at + 1] ?? ''];
  }
  return Object.fromEntries(Object.entries(headers).sort(([a], [b]) => (a < b ? -1 : 1)));
}

async function upload(request: IncomingMessage, response: ServerResponse, { files, clock }: ServerHost, log: Given['log']): Promise<void> {
  log('GET /upload');
  const [, boundary = ''] = /boundary="?([^";]+)"?/.exec(request.headers['content-type'] ?? '') ?? [];
  const body = (await bodyOf(request)).toString('latin1');
  const part = boundary === '' ? undefined : body.split(`--${boundary}`).find((one) => /name="file"/.test(one.split('\r\n\r\n')[0] ?? ''));
  if (part === undefined) return respond(response, 200, JSON.stringify({ error: 'Unable to upload file.' }));
  const content = Buffer.from(part.slice(part.indexOf('\r\n\r\n') + 4).replace(/\r\n$/, ''), 'latin1');
  const path = `/uploads/upload${clock.now() % 1_000_000_000}`;
  files.makeFolder('/uploads');
  files.write(path, content);
  files.change(path, { mode: 0o700 });
  log(`Wrote upload to ${path}`);
  respond(response, 201, JSON.stringify({ output: path }));
}

async function dial(request: IncomingMessage, response: ServerResponse, host: ServerHost, log: Given['log']): Promise<void> {
  const query = queryOf(request);
  const value = (name: string): string => query.get(name) ?? '';
  const [name, port, sent, protocol, tries] = ['host', 'port', 'request', 'protocol', 'tries'].map(value) as [
    string,
    string,
    string,
    string,
    string,
  ];
  log(`GET /dial?host=${name}&protocol=${protocol}&port=${port}&request=${sent}&tries=${tries}`);
  if (tries !== '' && !/^\d{1,9}$/.test(tries)) {
    return respondError(response, 400, `tries parameter is invalid. strconv.Atoi: parsing ${quote(tries)}: invalid syntax`);
  }
  if (sent === '') return respondError(response, 400, 'request parameter not specified. <nil>');
  const kind = protocol.toLowerCase() || 'http';
  if (!['http', 'udp', 'sctp'].includes(kind)) return respondError(response, 400, `unsupported protocol. ${protocol}`);
  const [address] = await addressesOf(name, host);
  if (address === undefined || !/^\d{1,5}$/.test(port)) {
    const why = address === undefined ? `lookup ${name}: no such host` : `lookup tcp/${port}: unknown port`;
    return respondError(response, 400, `host and/or port param are invalid. ${why}`);
  }
  const [responses, errors]: [string[], string[]] = [[], []];
  let last = '';
  for (let at = 0; at < Math.min(tries === '' ? 1 : Number(tries), maxTries); at++) {
    try {
      last = kind === 'http' ? await getText(host, address, Number(port), `/${sent}`) : await ask(host, address, Number(port), kind, sent);
      responses.push(last);
    } catch (error) {
      last = '';
      errors.push(error instanceof Error ? error.message : String(error));
    }
  }
  respond(response, 200, JSON.stringify({ ...(errors.length > 0 && { errors }), ...(last !== '' && { responses }) }));
}

/** Sends a datagram, and returns the one that answers it. */
async function ask({ network, clock }: ServerHost, address: string, port: number, kind: string, text: string): Promise<string> {
  const failed = (why: string): Error => {
    const ends = `read ${kind} ${network.address}->${joinHostPort(address, port)}: ${why}`;
    return new Error(kind === 'udp' ? `reading from udp connection failed. err:'${ends}'` : `sctp dial failed. err:${why}`);
  };
  const connection = await network.dial(address, port, kind === 'udp' ? 'UDP' : 'SCTP').catch(() => {
    throw failed('connection refused');
  });
  try {
    return await new Promise<string>((resolve, reject) => {
      const cancel = clock.after(answerTimeout, () => reject(failed('i/o timeout')));
      connection.once('data', (answer: Buffer) => {
        cancel();
        resolve(String(answer));
      });
      connection.once('close', () => reject(failed('connection refused')));
      connection.write(Buffer.from(text));
    });
  } finally {
    connection.destroy();
  }
}

/** Answers the commands of the UDP server. */
async function answerDatagrams(connection: Duplex, from: Endpoint, { hostname, print, clock }: ServerHost, port: number): Promise<void> {
  const client = joinHostPort(from.address, from.port);
  for await (const datagram of connection) {
    const text = String(datagram).trim().toLowerCase();
    const log = (message: string): void => print(logLine(clock, message));
    if (text === 'hostname') {
      log('Sending udp hostName response');
      connection.write(Buffer.from(hostname));
    } else if (text.startsWith('echo ')) {
      log(`Echoing ${text.slice(5)} to UDP client ${client}`);
      connection.write(Buffer.from(text.slice(5)));
    } else if (text === 'clientip') {
      log(`Sending clientip back to UDP client ${client}`);
      connection.write(Buffer.from(client));
    } else if (text === 'serverport') {
      log(`Sending server port to UDP client ${port}`);
      connection.write(Buffer.from(String(port)));
    } else if (text !== '') log(`Unknown UDP command received from ${client}: ${text}`);
  }
}
