import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { FileError, resolvePath } from '../../container-files.ts';
import type { Command, Process } from '../process.ts';
import { Expression, ExpressionError } from './expression.ts';
import { sed } from './sed.ts';
import { argumentsOf, contentOf, contentsOf, linesOf, readAll, tryFile } from './support.ts';

/* Commands for text. */

const lineFeed = 0x0a;

/** Returns the end of the first `count` lines. */
function endOfLines(text: Buffer, count: number): number {
  let at = 0;
  for (let left = count; left > 0 && at < text.length; left--) {
    const end = text.indexOf(lineFeed, at);
    if (end < 0) return text.length;
    at = end + 1;
  }
  return at;
}

/** Returns the start of the last `count` lines. */
function startOfLines(text: Buffer, count: number): number {
  let at = text.length;
  if (count === 0) return at;
  // the line feed at the end starts no line
  if (text[at - 1] === lineFeed) at--;
  for (let left = count; at > 0; at--) {
    at = text.lastIndexOf(lineFeed, at - 1) + 1;
    if (at === 0 || --left === 0) return at;
  }
  return 0;
}

/** Reads `-n 5`, `-5` and `-c 5`. */
function countOf(given: readonly string[]) {
  const args = given.map((arg) => arg.replace(/^-(\d{1,9})$/, '-n$1'));
  const { flags, values, operands } = argumentsOf(args, 'nc');
  const text = values.get('c') ?? values.get('n') ?? values.get('lines') ?? values.get('bytes') ?? '10';
  return { flags, text, count: Math.abs(Number.parseInt(text, 10)) || 0, inBytes: flags.has('c') || flags.has('bytes'), operands };
}

async function head(process: Process): Promise<number> {
  const { count, inBytes, operands } = countOf(process.args);
  // a reader of the standard input stops as soon as it has enough
  if (operands.length === 0) {
    let text = Buffer.alloc(0);
    for await (const chunk of process.stdin.chunks(process.time)) {
      text = Buffer.concat([text, chunk]);
      if ((inBytes ? text.length >= count : linesIn(text) >= count) || text.length > maxHead) break;
    }
    await process.out(text.subarray(0, inBytes ? count : endOfLines(text, count)));
    return 0;
  }
  let code = 0;
  for (const [index, path] of operands.entries()) {
    const content = await contentOf(process, 'head', path);
    if (content === undefined) code = 1;
    else {
      if (operands.length > 1) await process.out(`${index > 0 ? '\n' : ''}==> ${path} <==\n`);
      await process.out(content.subarray(0, inBytes ? count : endOfLines(content, count)));
    }
  }
  return code;
}

const maxHead = 16 * 1024 * 1024;

function linesIn(text: Buffer): number {
  let count = 0;
  for (let at = text.indexOf(lineFeed); at >= 0; at = text.indexOf(lineFeed, at + 1)) count++;
  return count;
}

/** Milliseconds between two looks at a file that grows. */
const followInterval = 1000;

async function tail(process: Process): Promise<number> {
  const { flags, text, count, inBytes, operands } = countOf(process.args);
  const [path] = operands;
  const content = path === '/dev/null' ? Buffer.alloc(0) : await contentOf(process, 'tail', path);
  if (content === undefined) return 1;
  const fromStart = text.startsWith('+');
  const skipped = Math.max(count - 1, 0);
  const start = inBytes ? Math.max(0, content.length - count) : startOfLines(content, count);
  const first = fromStart ? (inBytes ? Math.min(skipped, content.length) : endOfLines(content, skipped)) : start;
  await process.out(content.subarray(first));
  if ((!flags.has('f') && !flags.has('F')) || path === undefined) return 0;
  for (let seen = content.length; ; ) {
    await pause(process, followInterval);
    const node = process.files.stat(resolvePath(process.folder, path));
    if (node?.kind !== 'file') continue;
    if (node.size < seen) seen = 0;
    if (node.size > seen) await process.out(Buffer.from(node.buffer.subarray(seen, node.size)));
    seen = node.size;
  }
}

/**
 * Waits by the clock.
 *
 * @throws KilledError
 */
export async function pause({ clock, time }: Pick<Process, 'clock' | 'time'>, ms: number): Promise<void> {
  let stop = (): void => undefined;
  await new Promise<void>((resolve) => {
    const cancel = clock.after(Math.min(ms, maxDelay), resolve);
    const forget = time.onKill(resolve);
    stop = () => {
      cancel();
      forget();
    };
  });
  stop();
  time.rested();
  time.check();
}

/** The longest delay of a timer. */
const maxDelay = 2 ** 31 - 1;

async function grep(process: Process, asExtended = false): Promise<number> {
  const { args, files, folder, time, out, err } = process;
  const { flags, values, operands } = argumentsOf(args, 'emABC');
  const patterns = values.has('e') ? [values.get('e') ?? ''] : [operands[0] ?? ''];
  const given = values.has('e') ? operands : operands.slice(1);
  let code = 1;
  try {
    const expressions = patterns
      .flatMap((pattern) => pattern.split('\n'))
      .map((pattern) => {
        const isFixed = flags.has('F');
        const isExtended = asExtended || flags.has('E') || flags.has('P');
        const source =
          flags.has('x') && !isFixed
            ? isExtended
              ? `^(${pattern})$`
              : `^\\(${pattern}\\)$`
            : flags.has('w') && !isFixed
              ? `\\b${pattern}\\b`
              : pattern;
        return new Expression(source, { isExtended, isFixed, ignoresCase: flags.has('i') || flags.has('ignore-case') });
      });
    const isChosen = (line: string): boolean => expressions.some((one) => one.test(line)) !== flags.has('v');
    const paths = flags.has('r') || flags.has('R') ? given.flatMap((path) => filesBelow(process, path)) : given;
    const most = Number(values.get('m') ?? Number.POSITIVE_INFINITY);
    for (const path of paths.length > 0 ? paths : ['-']) {
      if (files.isFolder(resolvePath(folder, path)) && path !== '-') continue;
      const prefix = (paths.length > 1 || flags.has('H')) && !flags.has('h') ? `${path}:` : '';
      let count = 0;
      let number = 0;
      const check = async (line: string): Promise<boolean> => {
        number++;
        await time.use();
        if (!isChosen(line)) return false;
        code = code === 1 ? 0 : code;
        count++;
        if (flags.has('q') || flags.has('l')) return true;
        if (flags.has('o')) {
          const matcher = expressions[0]?.matcher(line);
          while (matcher?.find()) if (matcher.group()) await out(`${prefix}${matcher.group()}\n`);
        } else if (!flags.has('c')) await out(`${prefix}${flags.has('n') ? `${number}:` : ''}${line}\n`);
        return count >= most;
      };
      if (path === '-') {
        for (let line = await process.stdin.line(time, maxHead); line !== undefined; line = await process.stdin.line(time, maxHead)) {
          if (await check(line.text)) break;
        }
      } else {
        const content = await contentOf(process, 'grep', path);
        if (content === undefined) {
          code = 2;
          continue;
        }
        for (const line of linesOf(content)) if (await check(line)) break;
      }
      if (flags.has('l') && count > 0) await out(`${path}\n`);
      else if (flags.has('c')) await out(`${prefix}${count}\n`);
      if (flags.has('q') && count > 0) return 0;
    }
    return code;
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    await err(`grep: bad regex '${patterns[0]}': ${error.message}\n`);
    return 2;
  }
}

/** The paths of all files in a folder. */
function filesBelow({ files, folder }: Process, path: string): string[] {
  const found: string[] = [];
  const visit = (each: string): void => {
    const full = resolvePath(folder, each);
    if (!files.isFolder(full)) found.push(each);
    else if (files.lstat(full)?.kind === 'folder') for (const name of files.list(full)) visit(`${each === '/' ? '' : each}/${name}`);
  };
  visit(path);
  return found;
}

async function wc(process: Process): Promise<number> {
  const { flags, operands } = argumentsOf(process.args);
  const all = !['l', 'w', 'c', 'm'].some((flag) => flags.has(flag));
  const total = [0, 0, 0];
  let code = 0;
  const print = (numbers: readonly number[], path: string): Promise<void> => {
    const chosen = numbers.filter((_, index) => all || flags.has('lwc'.charAt(index)) || (index === 2 && flags.has('m')));
    const text =
      chosen.length === 1 && operands.length === 0 ? String(chosen[0]) : chosen.map((one) => String(one).padStart(all ? 9 : 0)).join(' ');
    return process.out(`${text}${path === '' ? '' : ` ${path}`}\n`);
  };
  for (const path of operands.length > 0 ? operands : ['']) {
    const content = await contentOf(process, 'wc', path === '' ? undefined : path);
    if (content === undefined) {
      code = 1;
      continue;
    }
    const text = content.toString();
    const words = text.split(/\s+/).filter((word) => word !== '').length;
    const numbers = [linesIn(content), words, flags.has('m') ? [...text].length : content.length];
    for (const [index, number] of numbers.entries()) total[index] = (total[index] ?? 0) + number;
    await print(numbers, path);
  }
  if (operands.length > 1) await print(total, 'total');
  return code;
}

const keyOf = (line: string, field: number, separator: string | undefined): string => {
  if (field === 0) return line;
  const fields = separator === undefined ? line.trim().split(/\s+/) : line.split(separator);
  return fields.slice(field - 1).join(' ');
};

async function sort(process: Process): Promise<number> {
  const { flags, values, operands } = argumentsOf(process.args, 'kto');
  const { content, code } = await contentsOf(process, 'sort', operands);
  const field = Number.parseInt(values.get('k') ?? '0', 10) || 0;
  const isNumeric = flags.has('n') || /n/.test(values.get('k') ?? '');
  const keyed = linesOf(content).map((line) => ({ line, key: keyOf(line, field, values.get('t')) }));
  const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
  keyed.sort(
    (a, b) =>
      (isNumeric ? (Number.parseFloat(a.key) || 0) - (Number.parseFloat(b.key) || 0) : 0) || byText(a.key, b.key) || byText(a.line, b.line),
  );
  let lines = keyed.map(({ line }) => line);
  if (flags.has('r')) lines.reverse();
  if (flags.has('u')) lines = lines.filter((line, index) => line !== lines[index - 1]);
  await process.out(lines.map((line) => `${line}\n`).join(''));
  return code;
}

async function uniq(process: Process): Promise<number> {
  const { flags, operands } = argumentsOf(process.args);
  const content = await contentOf(process, 'uniq', operands[0]);
  if (content === undefined) return 1;
  const groups: { line: string; count: number }[] = [];
  for (const line of linesOf(content)) {
    const last = groups.at(-1);
    if (last?.line === line) last.count++;
    else groups.push({ line, count: 1 });
  }
  const chosen = groups.filter(({ count }) => (!flags.has('d') || count > 1) && (!flags.has('u') || count === 1));
  await process.out(chosen.map(({ line, count }) => (flags.has('c') ? `${String(count).padStart(7)} ${line}\n` : `${line}\n`)).join(''));
  return 0;
}

/** Reports which positions, from 1 on, a list such as `1,3-5` names. */
function selection(list: string): (position: number) => boolean {
  const ranges = list.split(',').map((part) => {
    const [, from = '', dash = '', to = ''] = /^(\d*)(-?)(\d*)$/.exec(part) ?? [];
    const first = Number(from || 1);
    return [first, dash === '' ? first : Number(to || Number.POSITIVE_INFINITY)] as const;
  });
  return (position) => ranges.some(([first, last]) => first <= position && position <= last);
}

async function cut(process: Process): Promise<number> {
  const { flags, values, operands } = argumentsOf(process.args, 'dfcb');
  const { content, code } = await contentsOf(process, 'cut', operands);
  const separator = values.get('d') ?? '\t';
  const isIn = selection(values.get('f') ?? values.get('c') ?? values.get('b') ?? '1-');
  const lines = linesOf(content).flatMap((line) => {
    if (!values.has('f')) return [[...line].filter((_, index) => isIn(index + 1)).join('')];
    if (!line.includes(separator)) return flags.has('s') ? [] : [line];
    return [
      line
        .split(separator)
        .filter((_, index) => isIn(index + 1))
        .join(separator),
    ];
  });
  await process.out(lines.map((line) => `${line}\n`).join(''));
  return code;
}

const classes: Readonly<Record<string, string>> = {
  lower: 'abcdefghijklmnopqrstuvwxyz',
  upper: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  digit: '0123456789',
  space: ' \t\n\r\v\f',
};

/** Returns the characters of a set: `a-z`, `[:upper:]`, `\n`. */
function setOf(text: string): string[] {
  const plain = text
    .replace(/\[:(\w+):\]/g, (whole, name: string) => classes[name] ?? whole)
    .replace(/\\(.)/gs, (_, char: string) => ({ n: '\n', t: '\t', r: '\r', '0': '\0' })[char] ?? char);
  const chars: string[] = [];
  for (let at = 0; at < plain.length; at++) {
    const to = plain.charCodeAt(at + 2);
    if (plain[at + 1] === '-' && at + 2 < plain.length) {
      for (let code = plain.charCodeAt(at); code <= to && chars.length < 65_536; code++) chars.push(String.fromCharCode(code));
      at += 2;
    } else chars.push(plain.charAt(at));
  }
  return chars;
}

async function tr(process: Process): Promise<number> {
  const { flags, operands } = argumentsOf(process.args);
  const from = setOf(operands[0] ?? '');
  const to = setOf(operands[1] ?? '');
  const places = new Map(from.map((char, index) => [char, index] as const).reverse());
  const isIn = (char: string): boolean => places.has(char) !== (flags.has('c') || flags.has('C'));
  let result = '';
  for (const char of (await readAll(process)).toString()) {
    if (flags.has('d') && isIn(char)) continue;
    const mapped = to.length > 0 && isIn(char) && !flags.has('d') ? (to[places.get(char) ?? to.length - 1] ?? to.at(-1) ?? '') : char;
    const repeated = flags.has('s') && (to.length > 0 ? to.includes(mapped) : isIn(mapped)) && result.endsWith(mapped);
    if (!repeated) result += mapped;
  }
  await process.out(result);
  return 0;
}

async function seq(process: Process): Promise<number> {
  const { values, operands } = argumentsOf(
    process.args.filter((arg) => arg !== '-w'),
    's',
  );
  const numbers = process.args.filter((arg) => /^-?\d+(?:\.\d+)?$/.test(arg)).map(Number);
  if (numbers.length === 0 || operands.length === 0) return 1;
  const first = numbers.length > 1 ? (numbers[0] ?? 1) : 1;
  const by = numbers.length > 2 ? (numbers[1] ?? 1) : 1;
  const last = numbers.at(-1) ?? 0;
  const separator = values.get('s') ?? '\n';
  if (by === 0) return 1;
  const count = Math.floor((last - first) / by + 1e-9) + 1;
  let text = '';
  for (let index = 0; index < count; index++) {
    text += `${index > 0 ? separator : ''}${Number((first + index * by).toFixed(6))}`;
    if (text.length < 4096) continue;
    await process.out(text);
    text = '';
  }
  await process.out(count > 0 ? `${text}\n` : text);
  return 0;
}

async function hexdump(process: Process): Promise<number> {
  const { flags, values, operands } = argumentsOf(process.args, 'nse');
  const given = await contentOf(process, 'hexdump', operands[0]);
  if (given === undefined) return 1;
  const content = given.subarray(0, Number(values.get('n') ?? given.length));
  const hex = (value: number, width: number): string => value.toString(16).padStart(width, '0');
  for (let at = 0; at < content.length; at += 16) {
    const row = content.subarray(at, at + 16);
    if (flags.has('C')) {
      const bytes = Array.from({ length: 16 }, (_, index) => (index < row.length ? hex(row[index] ?? 0, 2) : '  '));
      const text = row.toString('latin1').replace(/[^ -~]/g, '.');
      await process.out(`${hex(at, 8)}  ${bytes.slice(0, 8).join(' ')}  ${bytes.slice(8).join(' ')}  |${text}|\n`);
    } else {
      const words = Array.from({ length: Math.ceil(row.length / 2) }, (_, index) =>
        hex((row[2 * index] ?? 0) + 256 * (row[2 * index + 1] ?? 0), 4),
      );
      await process.out(`${hex(at, 7)} ${words.join(' ')}\n`);
    }
  }
  await process.out(`${hex(content.length, flags.has('C') ? 8 : 7)}\n`);
  return 0;
}

async function base64(process: Process): Promise<number> {
  const { flags, values, operands } = argumentsOf(process.args, 'w');
  const content = await contentOf(process, 'base64', operands[0]);
  if (content === undefined) return 1;
  if (flags.has('d') || flags.has('decode')) {
    await process.out(Buffer.from(content.toString(), 'base64'));
    return 0;
  }
  const width = Number(values.get('w') ?? 76);
  const text = content.toString('base64');
  await process.out(width === 0 ? text : text.replace(new RegExp(`.{1,${Math.min(width, 4096)}}`, 'g'), '$&\n'));
  return 0;
}

const digest =
  (algorithm: string): Command =>
  async (process) => {
    let code = 0;
    for (const path of process.args.length > 0 ? process.args : ['-']) {
      const content = await contentOf(process, `${algorithm}sum`, path);
      if (content === undefined) code = 1;
      else await process.out(`${createHash(algorithm).update(content).digest('hex')}  ${path}\n`);
    }
    return code;
  };

async function zip(process: Process, unzips: boolean): Promise<number> {
  const { args, files, folder, err, out } = process;
  const { flags, operands } = argumentsOf(args);
  const expands = unzips || flags.has('d');
  const convert = (content: Buffer): Buffer => {
    try {
      return expands ? gunzipSync(content, { maxOutputLength: maxHead }) : gzipSync(content);
    } catch {
      throw new FileError('invalid magic');
    }
  };
  const name = expands ? 'gunzip' : 'gzip';
  if (operands.length === 0 || flags.has('c')) {
    const content = await contentOf(process, name, operands[0]);
    if (content === undefined) return 1;
    return tryFile(name, err, 0, () => out(convert(content)));
  }
  let code = 0;
  for (const path of operands) {
    const content = await contentOf(process, name, path);
    if (content === undefined) {
      code = 1;
      continue;
    }
    code = await tryFile(`${name}: ${path}`, err, code, () => {
      files.write(resolvePath(folder, expands ? path.replace(/\.gz$/, '') : `${path}.gz`), convert(content));
      if (!flags.has('k')) files.remove(resolvePath(folder, path));
    });
  }
  return code;
}

export const textCommands: Readonly<Record<string, Command>> = {
  base64,
  cut,
  egrep: (process) => grep(process, true),
  fgrep: (process) => grep({ ...process, args: ['-F', ...process.args] }),
  grep: (process) => grep(process),
  gunzip: (process) => zip(process, true),
  gzip: (process) => zip(process, false),
  head,
  hexdump,
  md5sum: digest('md5'),
  async nl(process) {
    const { content, code } = await contentsOf(process, 'nl', argumentsOf(process.args).operands);
    await process.out(
      linesOf(content)
        .map((line, index) => `${String(index + 1).padStart(6)}\t${line}\n`)
        .join(''),
    );
    return code;
  },
  async rev(process) {
    const { content, code } = await contentsOf(process, 'rev', process.args);
    await process.out(
      linesOf(content)
        .map((line) => `${[...line].reverse().join('')}\n`)
        .join(''),
    );
    return code;
  },
  sed,
  seq,
  sha1sum: digest('sha1'),
  sha256sum: digest('sha256'),
  sha512sum: digest('sha512'),
  sort,
  async tac(process) {
    const { content, code } = await contentsOf(process, 'tac', process.args);
    await process.out(
      linesOf(content)
        .reverse()
        .map((line) => `${line}\n`)
        .join(''),
    );
    return code;
  },
  tail,
  tr,
  uniq,
  wc,
  zcat: (process) => zip({ ...process, args: ['-c', ...process.args] }, true),
};
