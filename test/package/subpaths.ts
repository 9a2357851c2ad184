import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a condition of `exports` leads to: a file, or more conditions. */
type Target = string | { readonly [condition: string]: Target };

/** Everything that an installed package lets others import, with each pattern replaced by all that it matches. */
export function subpathsOf(folder: string): readonly string[] {
  const { name, exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const entries = Object.entries(exports as Record<string, Target | null>);
  const closed = entries.flatMap(([path, target]) => (target === null ? [path.slice(0, -'*'.length)] : []));
  return entries
    .flatMap(([path, target]) => (target === null ? [] : path.includes('*') ? matches(folder, path, target) : [path]))
    .filter((path) => !closed.some((below) => path.startsWith(below)))
    .map((path) => `${name}${path.slice(1)}`);
}

/** Looks for what the target with types has in the place of the asterisk, since each subpath must have types. */
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
