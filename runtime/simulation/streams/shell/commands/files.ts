import { type ContainerFiles, FileError, resolvePath } from '../../container-files.ts';
import { contentOf as contentOfNode, type FileNode } from '../../file-node.ts';
import { tar } from '../archive.ts';
import { escapeGlob, matchesGlob } from '../glob.ts';
import type { Command, Process } from '../process.ts';
import { isDevice } from '../test-expression.ts';
import { argumentsOf, contentOf, readAll, tryFile } from './support.ts';

/* Commands for files. */

/** The most files that a command visits. */
const maxVisited = 65_536;

const typeLetter = ({ kind }: FileNode): string => (kind === 'folder' ? 'd' : kind === 'link' ? 'l' : '-');

/** Formats permissions: `drwxr-xr-x`. */
export function modeText(node: FileNode): string {
  const { mode } = node;
  const bits = (shift: number, special: number, letter: string): string => {
    const has = (bit: number): boolean => ((mode >> shift) & bit) !== 0;
    const isSpecial = (mode & special) !== 0;
    const last = isSpecial ? (has(1) ? letter : letter.toUpperCase()) : has(1) ? 'x' : '-';
    return `${has(4) ? 'r' : '-'}${has(2) ? 'w' : '-'}${last}`;
  };
  return typeLetter(node) + bits(6, 0o4000, 's') + bits(3, 0o2000, 's') + bits(0, 0o1000, 't');
}

const names: Readonly<Record<number, string>> = { 0: 'root', 65534: 'nobody' };
const nameOf = (id: number): string => names[id] ?? String(id);

export const sizeOf = (node: FileNode): number => (node.kind === 'file' ? node.size : node.kind === 'link' ? node.target.length : 4096);

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function listingTime(ms: number): string {
  const date = new Date(ms);
  const two = (value: number, fill = '0'): string => String(value).padStart(2, fill);
  return `${months[date.getUTCMonth()]} ${two(date.getUTCDate(), ' ')} ${two(date.getUTCHours())}:${two(date.getUTCMinutes())}`;
}

async function ls(process: Process): Promise<number> {
  const { files, folder, time, out, err } = process;
  const { flags, operands } = argumentsOf(process.args);
  const line = (name: string, node: FileNode | undefined): string => {
    if (!flags.has('l') || node === undefined) return `${name}\n`;
    const owner = flags.has('n') ? [node.uid, node.gid].map(String) : [nameOf(node.uid), nameOf(node.gid)];
    const links = node.kind === 'folder' ? 2 : 1;
    const columns = [modeText(node), String(links).padStart(4), (owner[0] ?? '').padEnd(8), (owner[1] ?? '').padEnd(8)];
    const target = node.kind === 'link' ? ` -> ${node.target}` : '';
    return `${columns.join(' ')} ${String(sizeOf(node)).padStart(9)} ${listingTime(node.modified)} ${name}${target}\n`;
  };
  const isAll = flags.has('a') || flags.has('A');
  const list = async (at: string): Promise<void> => {
    const entries = files.list(at).filter((name) => isAll || !name.startsWith('.'));
    if (flags.has('r')) entries.reverse();
    const names = flags.has('a') ? ['.', '..', ...entries] : entries;
    const rows = names.map((name) => line(name, flags.has('l') ? files.lstat(resolvePath(at, name)) : undefined));
    await out(`${flags.has('l') ? `total ${4 * entries.length}\n` : ''}${rows.join('')}`);
  };
  let code = 0;
  const given = operands.length > 0 ? operands : ['.'];
  for (const [index, path] of given.entries()) {
    await time.use();
    const full = resolvePath(folder, path);
    const node = flags.has('d') || flags.has('l') ? files.lstat(full) : files.stat(full);
    if (node === undefined && !isDevice(full)) {
      await err(`ls: ${path}: No such file or directory\n`);
      code = 1;
    } else if (node?.kind === 'folder' && !flags.has('d')) {
      if (given.length > 1) await out(`${index > 0 ? '\n' : ''}${path}:\n`);
      await list(full);
    } else await out(line(path, node));
  }
  return code;
}

async function cat({ args, files, folder, stdin, time, out, err }: Process): Promise<number> {
  const { operands } = argumentsOf(args);
  let code = 0;
  for (const path of operands.length > 0 ? operands : ['-']) {
    await time.use();
    const full = resolvePath(folder, path);
    if (path === '-' || full === '/dev/stdin') {
      for await (const chunk of stdin.chunks(time)) await out(chunk);
    } else if (full !== '/dev/null') {
      let content: Buffer | undefined;
      code = await tryFile(`cat: can't open '${path}'`, err, code, () => {
        content = Buffer.from(files.read(full));
      });
      const read = content;
      if (read !== undefined) code = await tryFile('cat: write error', err, code, () => out(read));
    }
  }
  return code;
}

async function mkdir({ args, files, folder, time, err }: Process): Promise<number> {
  const { flags, values, operands } = argumentsOf(args, 'm');
  let code = 0;
  for (const path of operands) {
    await time.use();
    const full = resolvePath(folder, path);
    code = await tryFile(`mkdir: can't create directory '${path}'`, err, code, () => {
      if (flags.has('p')) files.makeFolder(full);
      else files.makeOneFolder(full);
      const mode = values.get('m');
      if (mode !== undefined) files.change(full, { mode: Number.parseInt(mode, 8) });
    });
  }
  return code;
}

async function rm({ args, files, folder, time, err }: Process): Promise<number> {
  const { flags, operands } = argumentsOf(args);
  const isRecursive = flags.has('r') || flags.has('R');
  let code = 0;
  for (const path of operands) {
    await time.use();
    const full = resolvePath(folder, path);
    const node = files.lstat(full);
    if (flags.has('f') && node === undefined) continue;
    if (node?.kind === 'folder' && !isRecursive) {
      await err(`rm: '${path}' is a directory\n`);
      code = 1;
    } else code = await tryFile(`rm: can't remove '${path}'`, err, code, () => files.remove(full));
  }
  return code;
}

async function rmdir({ args, files, folder, err }: Process): Promise<number> {
  let code = 0;
  for (const path of argumentsOf(args).operands) {
    const full = resolvePath(folder, path);
    code = await tryFile(`rmdir: '${path}'`, err, code, () => {
      if (files.isFile(full)) throw new FileError('Not a directory');
      if (files.list(full).length > 0) throw new FileError('Directory not empty');
      files.remove(full);
    });
  }
  return code;
}

/** Copies a file, or a folder with everything in it. */
async function copy(files: ContainerFiles, from: string, to: string, process: Process): Promise<void> {
  await process.time.use();
  const node = files.stat(from);
  if (node?.kind !== 'folder') {
    files.write(to, Buffer.from(files.read(from)));
    if (node !== undefined && !isDevice(to)) files.change(to, { mode: node.mode & 0o777 });
    return;
  }
  if (to === from || to.startsWith(`${from}/`)) throw new FileError('recursion detected');
  files.makeFolder(to);
  for (const name of files.list(from)) await copy(files, resolvePath(from, name), resolvePath(to, name), process);
}

const baseOf = (path: string): string => path.replace(/\/+$/, '').replace(/^.*\//s, '');

async function transfer(process: Process, name: string, work: (from: string, to: string) => void | Promise<void>): Promise<number> {
  const { args, files, folder, err } = process;
  const { flags, operands } = argumentsOf(args);
  const target = operands.at(-1);
  if (operands.length < 2 || target === undefined) {
    await err(`${name}: missing file operand\n`);
    return 1;
  }
  const to = resolvePath(folder, target);
  let code = 0;
  for (const path of operands.slice(0, -1)) {
    const from = resolvePath(folder, path);
    if (files.lstat(from) === undefined) {
      await err(
        name === 'mv'
          ? `mv: can't rename '${path}': No such file or directory\n`
          : `${name}: can't stat '${path}': No such file or directory\n`,
      );
      code = 1;
      continue;
    }
    if (name === 'cp' && files.isFolder(from) && !flags.has('r') && !flags.has('R') && !flags.has('a')) {
      await err(`cp: omitting directory '${path}'\n`);
      code = 1;
      continue;
    }
    const place = files.isFolder(to) && !flags.has('T') ? resolvePath(to, baseOf(path)) : to;
    const about = name === 'mv' ? `mv: can't rename '${path}'` : `cp: can't create '${target}'`;
    code = await tryFile(about, err, code, () => work(from, place));
  }
  return code;
}

async function ln({ args, files, folder, err }: Process): Promise<number> {
  const { flags, operands } = argumentsOf(args);
  const [target = '', given] = operands;
  const path = resolvePath(folder, given ?? baseOf(target));
  const place = files.isFolder(path) && !flags.has('n') ? resolvePath(path, baseOf(target)) : path;
  return tryFile(`ln: ${given ?? target}`, err, 0, () => {
    if (flags.has('f') && files.lstat(place) !== undefined) files.remove(place);
    if (flags.has('s')) files.link(target, place);
    else files.write(place, Buffer.from(files.read(resolvePath(folder, target))));
  });
}

async function touch({ args, files, folder, time, clock, err }: Process): Promise<number> {
  let code = 0;
  for (const path of argumentsOf(args, 'drt').operands) {
    await time.use();
    const full = resolvePath(folder, path);
    code = await tryFile(`touch: ${path}`, err, code, () => {
      if (files.stat(full) === undefined) files.write(full, Buffer.alloc(0));
      else files.change(full, { modified: clock.now() });
    });
  }
  return code;
}

/** Returns a changed mode: `644`, `u+x`, `a=r`. */
function changedMode(mode: number, text: string): number {
  if (/^[0-7]{1,5}$/.test(text)) return Number.parseInt(text, 8);
  let changed = mode;
  for (const [, who = '', operator, letters = ''] of text.matchAll(/([ugoa]*)([-+=])([rwxXst]*)/g)) {
    const bits = [...letters].reduce((sum, letter) => sum | ({ r: 4, w: 2, x: 1, X: 1 }[letter] ?? 0), 0);
    for (const one of who === '' || who.includes('a') ? 'ugo' : who) {
      const shift = { u: 6, g: 3, o: 0 }[one] ?? 0;
      if (operator === '=') changed &= ~(7 << shift);
      changed = operator === '-' ? changed & ~(bits << shift) : changed | (bits << shift);
    }
  }
  return changed;
}

function* walk(files: ContainerFiles, path: string): Generator<string> {
  yield path;
  if (files.lstat(path)?.kind !== 'folder') return;
  for (const name of files.list(path)) yield* walk(files, resolvePath(path, name));
}

async function changeAll(process: Process, name: string, change: (path: string, given: string) => void): Promise<number> {
  const { args, files, folder, time, err } = process;
  const given = args.find((arg) => !/^-[RrfvhcLHP]+$/.test(arg)) ?? '';
  const isRecursive = args.some((arg) => /^-\w*R/.test(arg));
  let code = 0;
  for (const path of args.slice(args.indexOf(given) + 1)) {
    const full = resolvePath(folder, path);
    if (files.stat(full) === undefined) {
      await err(`${name}: ${path}: No such file or directory\n`);
      code = 1;
      continue;
    }
    for (const each of isRecursive ? walk(files, full) : [full]) {
      await time.use();
      code = await tryFile(`${name}: ${path}`, err, code, () => change(each, given));
    }
  }
  return code;
}

const idOf = (text: string): number | undefined => {
  const named = Object.entries(names).find(([, name]) => name === text);
  if (named !== undefined) return Number(named[0]);
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
};

async function stat(process: Process): Promise<number> {
  const { args, files, folder, out, err } = process;
  const { flags, values, operands } = argumentsOf(args, 'cf');
  const format = values.get('c') ?? values.get('format');
  let code = 0;
  for (const path of operands) {
    const full = resolvePath(folder, path);
    const node = flags.has('L') ? files.stat(full) : files.lstat(full);
    if (node === undefined) {
      await err(`stat: can't stat '${path}': No such file or directory\n`);
      code = 1;
    } else if (flags.has('f')) await out(`${files.mountOf(full) ?? 'overlayfs'}\n`);
    else if (format === undefined) await out(statText(path, node));
    else await out(`${statFormat(format, path, node)}\n`);
  }
  return code;
}

const kindText = (node: FileNode): string => {
  if (node.kind === 'folder') return 'directory';
  if (node.kind === 'link') return 'symbolic link';
  return node.size === 0 ? 'regular empty file' : 'regular file';
};

const fullTime = (ms: number): string => `${new Date(ms).toISOString().replace('T', ' ').replace('Z', '')}000000 +0000`;

const octal = (mode: number): string => mode.toString(8);

function statText(path: string, node: FileNode): string {
  const link = node.kind === 'link' ? `'${path}' -> '${node.target}'` : path;
  const when = fullTime(node.modified);
  return [
    `  File: ${link}`,
    `  Size: ${sizeOf(node)}\tBlocks: 8          IO Block: 4096   ${kindText(node)}`,
    `Access: (${octal(node.mode).padStart(4, '0')}/${modeText(node)})  Uid: (${String(node.uid).padStart(5)}/${nameOf(node.uid).padStart(8)})   Gid: (${String(node.gid).padStart(5)}/${nameOf(node.gid).padStart(8)})`,
    `Access: ${when}`,
    `Modify: ${when}`,
    `Change: ${when}`,
    '',
  ].join('\n');
}

function statFormat(format: string, path: string, node: FileNode): string {
  const values: Readonly<Record<string, () => string>> = {
    a: () => octal(node.mode),
    A: () => modeText(node),
    F: () => kindText(node),
    g: () => String(node.gid),
    G: () => nameOf(node.gid),
    n: () => path,
    N: () => (node.kind === 'link' ? `'${path}' -> '${node.target}'` : path),
    s: () => String(sizeOf(node)),
    u: () => String(node.uid),
    U: () => nameOf(node.uid),
    X: () => String(Math.floor(node.modified / 1000)),
    Y: () => String(Math.floor(node.modified / 1000)),
    Z: () => String(Math.floor(node.modified / 1000)),
    x: () => fullTime(node.modified),
    y: () => fullTime(node.modified),
    '%': () => '%',
  };
  return format.replace(/%(.)/g, (whole, letter: string) => (Object.hasOwn(values, letter) ? (values[letter]?.() ?? '') : whole));
}

interface FindTest {
  readonly matches: (path: string, node: FileNode | undefined) => boolean;
}

async function find(process: Process): Promise<number> {
  const { args, files, folder, time, out, err } = process;
  const first = args.findIndex((arg) => /^[-!(]/.test(arg));
  const roots = first < 0 ? args : args.slice(0, first);
  const rest = first < 0 ? [] : args.slice(first);
  const tests: FindTest[] = [];
  let depth = Number.POSITIVE_INFINITY;
  let least = 0;
  let action: 'print' | 'print0' | 'delete' | 'exec' = 'print';
  let command: readonly string[] = [];
  for (let at = 0, isNot = false; at < rest.length; at++) {
    const arg = rest[at] ?? '';
    const add = (matches: FindTest['matches']): void => {
      const negated = isNot;
      tests.push({ matches: (path, node) => matches(path, node) !== negated });
      isNot = false;
    };
    if (arg === '!' || arg === '-not') isNot = true;
    else if (arg === '-name' || arg === '-iname') {
      const pattern = rest[++at] ?? '';
      add((path) => matchesGlob(pattern, baseOf(path) || '/'));
    } else if (arg === '-path') {
      const pattern = rest[++at] ?? '';
      add((path) => matchesGlob(pattern, path));
    } else if (arg === '-type') {
      const letter = rest[++at] ?? '';
      add((_, node) => node !== undefined && { folder: 'd', file: 'f', link: 'l' }[node.kind] === letter);
    } else if (arg === '-maxdepth') depth = Number(rest[++at]);
    else if (arg === '-mindepth') least = Number(rest[++at]);
    else if (arg === '-print') action = 'print';
    else if (arg === '-print0') action = 'print0';
    else if (arg === '-delete') action = 'delete';
    else if (arg === '-empty')
      add((path, node) =>
        node?.kind === 'folder' ? files.list(resolvePath(folder, path)).length === 0 : node !== undefined && sizeOf(node) === 0,
      );
    else if (arg === '-exec') {
      const end = rest.findIndex((each, index) => index > at && (each === ';' || each === '+'));
      action = 'exec';
      command = rest.slice(at + 1, end < 0 ? undefined : end);
      at = end < 0 ? rest.length : end;
    } else if (!['-a', '-o', '-L', '-xdev', '('].includes(arg)) {
      await err(`find: unrecognized: ${arg}\n`);
      return 1;
    }
  }
  let code = 0;
  let visited = 0;
  const visit = async (path: string, level: number): Promise<void> => {
    await time.command();
    if (++visited > maxVisited) return;
    const full = resolvePath(folder, path);
    const node = files.lstat(full);
    const children = node?.kind === 'folder' && level < depth ? files.list(full) : [];
    const isChosen = level >= least && tests.every(({ matches }) => matches(path, node));
    if (isChosen && action.startsWith('print')) await out(path + (action === 'print' ? '\n' : '\0'));
    if (isChosen && action === 'exec') {
      const [name = '', ...given] = command.map((each) => each.replaceAll('{}', path));
      await process.run(name, { ...process, args: given, depth: process.depth + 1 });
    }
    for (const name of children) await visit(path === '/' ? `/${name}` : `${path}/${name}`, level + 1);
    if (isChosen && action === 'delete' && path !== '.') code = await tryFile(`find: ${path}`, err, code, () => files.remove(full));
  };
  for (const root of roots.length > 0 ? roots : ['.']) {
    if (files.lstat(resolvePath(folder, root)) === undefined) {
      await err(`find: ${root}: No such file or directory\n`);
      code = 1;
    } else await visit(root.length > 1 ? root.replace(/\/+$/, '') : root, 0);
  }
  return code;
}

async function du(process: Process): Promise<number> {
  const { args, files, folder, out } = process;
  const { flags, operands } = argumentsOf(args, 'd');
  for (const path of operands.length > 0 ? operands : ['.']) {
    let bytes = 0;
    for (const each of walk(files, resolvePath(folder, path))) {
      const node = files.lstat(each);
      bytes += node === undefined ? 0 : Math.ceil(sizeOf(node) / 4096) * 4096;
      await process.time.use();
    }
    const size = flags.has('h') ? `${(bytes / 1024).toFixed(1)}K` : String(bytes / 1024);
    await out(`${size}\t${path}\n`);
  }
  return 0;
}

async function df({ args, files, folder, out }: Process): Promise<number> {
  const { operands } = argumentsOf(args);
  await out('Filesystem           1K-blocks      Used Available Use% Mounted on\n');
  for (const path of operands.length > 0 ? operands : ['/']) {
    const kind = files.mountOf(resolvePath(folder, path)) ?? 'overlay';
    await out(`${kind.padEnd(20)} ${'16384'.padStart(9)} ${'0'.padStart(9)} ${'16384'.padStart(9)} ${'0%'.padStart(4)} ${path}\n`);
  }
  return 0;
}

async function dd(process: Process): Promise<number> {
  const { args, files, folder, out, err } = process;
  const values = new Map(args.map((arg) => arg.split('=', 2) as [string, string]));
  const units: Readonly<Record<string, number>> = { k: 1024, K: 1024, M: 1024 ** 2, G: 1024 ** 3 };
  const size = (text: string | undefined, fallback: number): number => {
    const [, digits = '', unit = ''] = /^(\d{1,9})([kKMG]?)B?$/.exec(text ?? '') ?? [];
    return digits === '' ? fallback : Number(digits) * (units[unit] ?? 1);
  };
  const block = size(values.get('bs'), 512);
  const count = values.has('count') ? Number(values.get('count')) : Number.POSITIVE_INFINITY;
  const [from, to] = [values.get('if'), values.get('of')];
  const isEndless = from === '/dev/zero' || from === '/dev/urandom' || from === '/dev/random';
  const wanted = block * count;
  if (isEndless && wanted > 16 * 1024 * 1024) {
    await err(`dd: error writing '${to ?? 'standard output'}': No space left on device\n`);
    return 1;
  }
  const content = isEndless ? Buffer.alloc(wanted) : ((await contentOf(process, 'dd', from)) ?? undefined);
  if (content === undefined) return 1;
  const part = content.subarray(0, Number.isFinite(wanted) ? wanted : undefined);
  const code = await tryFile(`dd: can't open '${to}'`, err, 0, async () => {
    if (to === undefined) await out(part);
    else files.write(resolvePath(folder, to), Buffer.from(part));
  });
  const blocks = Math.floor(part.length / block);
  await err(`${blocks}+${part.length % block > 0 ? 1 : 0} records in\n${blocks}+${part.length % block > 0 ? 1 : 0} records out\n`);
  return code;
}

async function realPath({ args, files, folder, out, err }: Process, name: string): Promise<number> {
  const { flags, operands } = argumentsOf(args);
  let code = 0;
  for (const path of operands) {
    const full = resolvePath(folder, path);
    const node = files.lstat(full);
    if (name === 'readlink' && !flags.has('f')) {
      if (node?.kind === 'link') await out(`${node.target}\n`);
      else code = 1;
    } else if (node === undefined) {
      await err(`${name}: ${path}: No such file or directory\n`);
      code = 1;
    } else await out(`${node.kind === 'link' ? resolvePath(resolvePath(full, '..'), node.target) : full}\n`);
  }
  return code;
}

let temporary = 0;

export const fileCommands: Readonly<Record<string, Command>> = {
  async basename({ args: [path = '', suffix = ''], out }) {
    const base = baseOf(path);
    await out(`${suffix !== '' && base.endsWith(suffix) && base !== suffix ? base.slice(0, -suffix.length) : base}\n`);
    return 0;
  },
  cat,
  chgrp: (process) => changeAll(process, 'chgrp', (path, given) => process.files.change(path, { gid: idOf(given) ?? 0 })),
  chmod: (process) =>
    changeAll(process, 'chmod', (path, given) => {
      const mode = process.files.stat(path)?.mode ?? 0;
      process.files.change(path, { mode: changedMode(mode, given) });
    }),
  chown: (process) =>
    changeAll(process, 'chown', (path, given) => {
      const [user = '', group] = given.split(/[:.]/);
      const [uid, gid] = [idOf(user), group === undefined ? undefined : idOf(group)];
      process.files.change(path, { ...(uid === undefined ? {} : { uid }), ...(gid === undefined ? {} : { gid }) });
    }),
  cp: (process) => transfer(process, 'cp', (from, to) => copy(process.files, from, to, process)),
  dd,
  df,
  async dirname({ args: [path = ''], out }) {
    const clean = path.replace(/\/+$/, '');
    const at = clean.lastIndexOf('/');
    await out(`${at < 0 ? '.' : clean.slice(0, at) || '/'}\n`);
    return 0;
  },
  du,
  find,
  ln,
  ls,
  mkdir,
  async mktemp({ args, files, folder, out, err }) {
    const { flags, operands } = argumentsOf(args, 'p');
    const name = `${escapeGlob(operands[0] ?? '/tmp/tmp.XXXXXX').replace(/X{3,}$/, '')}${String(++temporary).padStart(6, '0')}`;
    const path = resolvePath(folder, name);
    return tryFile(`mktemp: ${name}`, err, 0, async () => {
      if (flags.has('d')) files.makeFolder(path);
      else files.write(path, Buffer.alloc(0));
      await out(`${path}\n`);
    });
  },
  mv: (process) => transfer(process, 'mv', (from, to) => process.files.rename(from, to)),
  readlink: (process) => realPath(process, 'readlink'),
  realpath: (process) => realPath(process, 'realpath'),
  rm,
  rmdir,
  stat,
  sync: () => 0,
  tar,
  async tee(process) {
    const { args, files, folder, out, err } = process;
    const { flags, operands } = argumentsOf(args);
    const content = await readAll(process);
    await out(content);
    let code = 0;
    for (const path of operands) {
      const full = resolvePath(folder, path);
      if (isDevice(full)) continue;
      code = await tryFile(`tee: ${path}`, err, code, () => {
        if (flags.has('a')) files.append(full, content);
        else files.write(full, Buffer.from(content));
      });
    }
    return code;
  },
  touch,
  truncate: async ({ args, files, folder, err }) => {
    const { values, operands } = argumentsOf(args, 's');
    let code = 0;
    for (const path of operands) {
      const size = Math.min(Number.parseInt(values.get('s') ?? '0', 10) || 0, 17 * 1024 * 1024);
      code = await tryFile(`truncate: ${path}`, err, code, () => {
        const full = resolvePath(folder, path);
        const node = files.stat(full);
        const content = Buffer.alloc(size);
        if (node?.kind === 'file') contentOfNode(node).copy(content);
        files.write(full, content);
      });
    }
    return code;
  },
};
