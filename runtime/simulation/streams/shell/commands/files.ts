import { type ContainerFiles, FileError, resolvePath } from '../../container-files.ts';
import { contentOf as contentOfNode, type FileNode } from '../../file-node.ts';
import { tar } from '../archive.ts';
import { escapeGlob } from '../glob.ts';
import type { Command, Process } from '../process.ts';
import { isDevice } from '../test-expression.ts';
import { baseOf, modeText, nameOf, names, sizeOf } from './file-text.ts';
import { find } from './find.ts';
import { stat } from './stat.ts';
import { argumentsOf, contentOf, readAll, tryFile } from './support.ts';

/* Commands for files. */

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
    const start = escapeGlob(operands[0] ?? '/tmp/tmp.XXXXXX').replace(/X{3,}$/, '');
    let name = '';
    let path = '';
    for (let count = 1; name === '' || files.lstat(path) !== undefined; count++) {
      name = `${start}${String(count).padStart(6, '0')}`;
      path = resolvePath(folder, name);
    }
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
