import { resolvePath } from '../../container-files.ts';
import type { FileNode } from '../../file-node.ts';
import { matchesGlob } from '../glob.ts';
import type { Process } from '../process.ts';
import { baseOf, sizeOf } from './file-text.ts';
import { tryFile } from './support.ts';

/** The most files that a command visits. */
const maxVisited = 65_536;

interface FindTest {
  readonly matches: (path: string, node: FileNode | undefined) => boolean;
}

/** Walks folders, and prints, deletes or passes on what the tests choose. */
export async function find(process: Process): Promise<number> {
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
    } else if (!['-a', '-L', '-xdev'].includes(arg)) {
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
