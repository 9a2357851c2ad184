import type { Duplex } from 'node:stream';
import { exchange, type HttpAnswer } from '../../../network/http-exchange.ts';
import { resolvePath } from '../../container-files.ts';
import type { Command, Process } from '../process.ts';
import { addressOf, faultWords, isFault, LateError, NoAddressError, open, secondsOption, waitFor } from './connections.ts';
import { contentOf, tryFile } from './support.ts';

/* Clients of HTTP: wget of busybox, and curl. */

/** The most bytes of a response. */
const maxResponse = 8 * 1024 * 1024;
const maxRedirects = 20;

interface Target {
  readonly host: string;
  readonly port: number;
  readonly path: string;
}

/** Returns undefined for a URL that is not one of HTTP. */
function targetOf(text: string): Target | undefined {
  const [, scheme = 'http', host = '', port = '80', path = ''] =
    /^(?:(\w+):\/\/)?(?:[^@/]*@)?(\[[^\]]+\]|[^:/?#]+)(?::(\d{1,5}))?([/?][^#]*)?/.exec(text) ?? [];
  if (scheme !== 'http' || host === '') return undefined;
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port), path: path.startsWith('/') ? path : `/${path}` };
}

const hostOf = ({ host, port }: Target): string => `${host.includes(':') ? `[${host}]` : host}${port === 80 ? '' : `:${port}`}`;

interface Sent {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
}

async function ask(
  process: Process,
  connection: Duplex,
  target: Target,
  { method, headers, body }: Sent,
  ms?: number,
): Promise<HttpAnswer> {
  try {
    const own = { Host: hostOf(target), ...headers, ...(body && { 'Content-Length': String(body.length) }) };
    return await waitFor(process, exchange(connection, { method, path: target.path, headers: own, body, limit: maxResponse }), ms);
  } finally {
    connection.destroy();
  }
}

function headersOf(lines: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const [, name = '', value = ''] = /^([^:]+):\s*(.*)$/s.exec(line) ?? [];
    if (name !== '') headers[name] = value;
  }
  return headers;
}

/** Returns the options of a command with their values: those with the same name in a list. */
function optionsOf(args: readonly string[], withValue: ReadonlySet<string>) {
  const options = new Map<string, string[]>();
  const operands: string[] = [];
  const add = (name: string, value: string): void => void options.set(name, [...(options.get(name) ?? []), value]);
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (arg.startsWith('--')) {
      const [, name = '', value] = /^--([^=]+)(?:=(.*))?$/s.exec(arg) ?? [];
      if (value !== undefined) add(name, value);
      else add(name, withValue.has(name) ? (args[++at] ?? '') : '');
    } else if (/^-./.test(arg)) {
      for (let letter = 1; letter < arg.length; letter++) {
        const name = arg.charAt(letter);
        if (!withValue.has(name)) add(name, '');
        else {
          add(name, letter + 1 < arg.length ? arg.slice(letter + 1) : (args[++at] ?? ''));
          break;
        }
      }
    } else operands.push(arg);
  }
  const value = (...names: string[]): string | undefined => names.flatMap((name) => options.get(name) ?? []).at(-1);
  const values = (...names: string[]): string[] => names.flatMap((name) => options.get(name) ?? []);
  return { has: (...names: string[]) => names.some((name) => options.has(name)), value, values, operands };
}

const wgetValues = new Set([
  'O',
  'T',
  'Y',
  'P',
  'U',
  't',
  'o',
  'header',
  'post-data',
  'post-file',
  'timeout',
  'tries',
  'output-document',
  'user-agent',
]);

const wget: Command = async (process) => {
  const { has, value, values, operands } = optionsOf(process.args, wgetValues);
  const isQuiet = has('q', 'quiet');
  const say = async (text: string): Promise<void> => void (isQuiet || (await process.err(text)));
  const fail = async (text: string): Promise<number> => {
    await process.err(`wget: ${text}\n`);
    return 1;
  };
  const timeout = secondsOption(value('T', 'timeout'));
  const data = value('post-data');
  const sent: Sent = {
    method: data === undefined ? 'GET' : 'POST',
    headers: {
      'User-Agent': value('U', 'user-agent') ?? 'Wget',
      Connection: 'close',
      ...(data !== undefined && { 'Content-Type': 'application/x-www-form-urlencoded' }),
      ...headersOf(values('header')),
    },
    body: data === undefined ? undefined : Buffer.from(data),
  };
  if (operands.length === 0) return fail('missing URL');
  for (const url of operands) {
    let target = targetOf(url);
    let answer: HttpAnswer | undefined;
    for (let hop = 0; answer === undefined; hop++) {
      if (target === undefined) return fail(`not an http or ftp url: ${url}`);
      if (hop > maxRedirects) return fail('too many redirections');
      let connection: Duplex;
      let address = '';
      try {
        address = await addressOf(process, target.host);
        await say(`Connecting to ${target.host}${target.port === 80 ? '' : `:${target.port}`} (${address}:${target.port})\n`);
        connection = await open(process, address, target.port, { timeout });
      } catch (error) {
        if (error instanceof NoAddressError) return fail(`bad address '${target.host}${target.port === 80 ? '' : `:${target.port}`}'`);
        if (isFault(error)) return fail(`can't connect to remote host (${address}): ${faultWords[error.code]}`);
        if (error instanceof LateError) return fail('download timed out');
        throw error;
      }
      try {
        answer = await ask(process, connection, target, sent, timeout);
      } catch (error) {
        process.time.check();
        return fail(error instanceof LateError ? 'download timed out' : 'error getting response');
      }
      if (has('S')) for (const line of statusLines(answer)) await process.err(`  ${line}\n`);
      const { location } = answer.headers;
      if (answer.status >= 300 && answer.status < 400 && location) {
        target = targetOf(new URL(location, `http://${hostOf(target)}${target.path}`).href);
        answer = undefined;
      }
    }
    if (answer.status < 200 || answer.status >= 300)
      return fail(`server returned error: HTTP/${answer.version} ${answer.status} ${answer.reason}`);
    if (has('spider')) {
      await say('remote file exists\n');
      continue;
    }
    const last = (target?.path ?? '').replace(/\?.*$/, '').replace(/^.*\//, '') || 'index.html';
    const file = value('O', 'output-document') ?? last;
    if (file === '-') {
      await say('writing to stdout\n');
      await process.out(answer.body);
      await say('written to stdout\n');
      continue;
    }
    await say(`saving to '${file}'\n`);
    const { body } = answer;
    const code = await tryFile(`wget: can't open '${file}'`, process.err, 0, () => {
      if (file !== '/dev/null') process.files.write(resolvePath(process.folder, file), body);
    });
    if (code !== 0) return code;
    await say(`'${file}' saved\n`);
  }
  return 0;
};

function statusLines({ version, status, reason, rawHeaders }: HttpAnswer): string[] {
  const lines = [`HTTP/${version} ${status} ${reason}`.trimEnd()];
  for (let at = 0; at < rawHeaders.length; at += 2) lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`);
  return lines;
}

const curlValues = new Set(
  (
    'A b c C d D e E F h H K m o Q r t T u U w x X y Y z cacert cert connect-timeout data data-binary data-raw data-urlencode form header ' +
    'interface key max-time output proxy request resolve retry retry-delay retry-max-time url user user-agent write-out noproxy max-redirs ' +
    'connect-to unix-socket oauth2-bearer local-port json'
  ).split(' '),
);

/** An error of curl, with its number. */
class CurlError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

const curl: Command = async (process) => {
  const options = optionsOf(process.args, curlValues);
  const { has, value, values, operands } = options;
  const isSilent = has('s', 'silent') && !has('S', 'show-error');
  const urls = [...values('url'), ...operands];
  if (urls.length === 0) {
    await process.err("curl: try 'curl --help' or 'curl --manual' for more information\n");
    return 2;
  }
  const form = value('w', 'write-out');
  let code = 0;
  for (const url of urls) {
    let result: CurlResult = { status: 0, address: '', port: 0, size: 0, url };
    code = 0;
    try {
      result = await fetchUrl(process, url, options);
    } catch (error) {
      if (!(error instanceof CurlError)) throw error;
      ({ code } = error);
      if (!isSilent) await process.err(`curl: (${code}) ${error.message}\n`);
    }
    if (form !== undefined) await process.out(writtenOut(form, result, code, process));
  }
  return code;
};

interface CurlResult {
  readonly status: number;
  readonly address: string;
  readonly port: number;
  readonly size: number;
  readonly url: string;
}

/** Replaces the variables of --write-out. */
function writtenOut(format: string, { status, address, port, size, url }: CurlResult, code: number, { network }: Process): string {
  const variables: Readonly<Record<string, string>> = {
    http_code: String(status).padStart(3, '0'),
    response_code: String(status).padStart(3, '0'),
    remote_ip: address,
    remote_port: String(port),
    local_ip: network.address,
    size_download: String(size),
    time_total: '0.000100',
    time_connect: '0.000050',
    url_effective: url,
    exitcode: String(code),
    scheme: 'HTTP',
    num_connects: '1',
  };
  return format
    .replace(/%\{(\w+)\}/g, (whole, name: string) => variables[name] ?? whole)
    .replace(/\\n/g, '\n')
    .replace(/\\t/g, '\t')
    .replace(/\\r/g, '\r');
}

/** @throws CurlError */
async function fetchUrl(process: Process, url: string, { has, value, values }: ReturnType<typeof optionsOf>): Promise<CurlResult> {
  const [data] = [await bodyOf(process, values('d', 'data', 'data-raw', 'data-binary', 'json'))];
  const method = value('X', 'request') ?? (has('I', 'head') ? 'HEAD' : data === undefined ? 'GET' : 'POST');
  const bearer = value('oauth2-bearer');
  const headers: Record<string, string> = {
    'User-Agent': value('A', 'user-agent') ?? 'curl/8.5.0',
    Accept: '*/*',
    ...(data !== undefined && { 'Content-Type': has('json') ? 'application/json' : 'application/x-www-form-urlencoded' }),
    ...(bearer !== undefined && { Authorization: `Bearer ${bearer}` }),
    ...(value('u', 'user') !== undefined && { Authorization: `Basic ${Buffer.from(value('u', 'user') ?? '').toString('base64')}` }),
    ...headersOf(values('H', 'header')),
  };
  const limit = secondsOption(value('m', 'max-time'));
  const connectLimit = secondsOption(value('connect-timeout')) ?? limit;
  let target = targetOf(url);
  for (let hop = 0; ; hop++) {
    if (/^https:/.test(url)) throw new CurlError(35, 'the simulation of curl has no TLS');
    if (target === undefined) throw new CurlError(1, `Protocol "${/^(\w+):/.exec(url)?.[1] ?? ''}" not supported`);
    const { host, port } = target;
    let address = '';
    let connection: Duplex;
    try {
      address = await addressOf(process, host);
      connection = await open(process, address, port, { timeout: connectLimit });
    } catch (error) {
      if (error instanceof NoAddressError) throw new CurlError(6, `Could not resolve host: ${host}`);
      if (error instanceof LateError || (isFault(error) && error.code === 'ETIMEDOUT')) {
        throw new CurlError(28, `Failed to connect to ${host} port ${port} after ${connectLimit ?? 130_000} ms: Timeout was reached`);
      }
      if (isFault(error)) throw new CurlError(7, `Failed to connect to ${host} port ${port} after 0 ms: Couldn't connect to server`);
      throw error;
    }
    let answer: HttpAnswer;
    try {
      answer = await ask(process, connection, target, { method, headers, body: data }, limit);
    } catch (error) {
      process.time.check();
      if (error instanceof LateError) throw new CurlError(28, `Operation timed out after ${limit} milliseconds with 0 bytes received`);
      throw new CurlError(52, 'Empty reply from server');
    }
    const { status, body } = answer;
    const { location } = answer.headers;
    const shown = `${statusLines(answer).join('\r\n')}\r\n\r\n`;
    if (has('v', 'verbose')) {
      await process.err(`* Connected to ${host} (${address}) port ${port}\n> ${method} ${target.path} HTTP/1.1\n`);
      for (const line of statusLines(answer)) await process.err(`< ${line}\n`);
    }
    if (has('L', 'location') && status >= 300 && status < 400 && location && hop < maxRedirects) {
      target = targetOf(new URL(location, `http://${hostOf(target)}${target.path}`).href);
      continue;
    }
    if (has('f', 'fail') && status >= 400) throw new CurlError(22, `The requested URL returned error: ${status}`);
    const head = has('i', 'include', 'I', 'head') ? Buffer.from(shown) : Buffer.alloc(0);
    const content = has('I', 'head') ? head : Buffer.concat([head, body]);
    const file = value('o', 'output') ?? (has('O', 'remote-name') ? target.path.replace(/\?.*$/, '').replace(/^.*\//, '') : undefined);
    if (file === undefined || file === '-') await process.out(content);
    else if (file !== '/dev/null') process.files.write(resolvePath(process.folder, file), content);
    return { status, address, port, size: body.length, url };
  }
}

/** Joins the values of `--data`. `@file` is the content of a file. */
async function bodyOf(process: Process, values: readonly string[]): Promise<Buffer | undefined> {
  if (values.length === 0) return undefined;
  const parts: Buffer[] = [];
  for (const value of values) {
    const content = value.startsWith('@') ? await contentOf(process, 'curl', value.slice(1)) : Buffer.from(value);
    parts.push(...(parts.length > 0 ? [Buffer.from('&')] : []), content ?? Buffer.alloc(0));
  }
  return Buffer.concat(parts);
}

export const webCommands: Readonly<Record<string, Command>> = { curl, wget };
