import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The target of a condition in `exports`: a file, or more conditions. */
type Target = string | { readonly [condition: string]: Target };

/** Returns every subpath that an installed package exports, with patterns expanded. */
export function subpathsOf(folder: string): readonly string[] {
  const { name, exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const entries = Object.entries(exports as Record<string, Target | null>);
  const closed = entries.flatMap(([path, target]) => (target === null ? [path.slice(0, -'*'.length)] : []));
  return entries
    .flatMap(([path, target]) => (target === null ? [] : path.includes('*') ? matches(folder, path, target) : [path]))
    .filter((path) => !closed.some((below) => path.startsWith(below)))
    .map((path) => `${name}${path.slice(1)}`);
}

/** Expands the asterisk by the files of the target with types, because each subpath must have types. */
function matches(folder: string, path: string, target: Target): readonly string[] {
  const file = typesOf(target);
  const [before, after] = file.split('*');
  const parent = before.slice(0, before.lastIndexOf('/') + 1);
  if (!existsSync(join(folder, parent))) throw new Error(`${path} leads to ${parent}, which is not packed`);
  const found = readdirSync(join(folder, parent), { recursive: true })
    .map((entry) => `${parent}${String(entry).replaceAll('\\', '/')}`)
    .filter((entry) => entry.startsWith(before) && entry.endsWith(after))
    .map((entry) => path.replace('*', entry.slice(before.length, entry.length - after.length)));
  if (found.length === 0) throw new Error(`${path} matches nothing that is packed`);
  return found;
}

function typesOf(target: Target): string {
  if (typeof target === 'string') return target;
  return typesOf(target.types ?? target.default);
}
