import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
export const dist = join(root, 'dist');
/** Says whether dist/ has 'code' or 'types' too. Its modification time is the start of the build. */
const stamp = join(dist, '.built');

/** The folders that are compiled. */
export const sources = ['codegen', 'generated', 'runtime'];

const inputs = [...sources, 'schemas', 'page', 'package.json', 'package-lock.json', 'tsconfig.json', 'node_modules/.package-lock.json'];

/** Reports whether dist/ is newer than the sources, and has declaration files if `kind` is 'types'. */
export function isCurrent(kind) {
  if (!existsSync(stamp)) return false;
  if (kind === 'types' && !readFileSync(stamp, 'utf8').includes('types')) return false;
  const present = inputs.map((path) => join(root, path)).filter(existsSync);
  return Math.max(...present.map(newest)) <= statSync(stamp).mtimeMs;
}

/** Returns the latest change below a folder. Folders count too, so that deleted files are noticed. */
function newest(path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((entry) => newest(join(path, entry))));
}
