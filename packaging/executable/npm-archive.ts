import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './root.ts';

const cache = join(root, 'node_modules/.cache/kubeloom-packages');

/**
 * Returns the folder with the files of a package from the npm registry, for any platform, whether or not npm would install it
 * here. Runs none of its scripts.
 *
 * @param integrity the expected hash, as in package-lock.json
 */
export function packageFolder(name: string, version: string, integrity: string): string {
  const folder = join(cache, `${name.replace('/', '+')}-${version}-${createHash('sha256').update(integrity).digest('hex').slice(0, 8)}`);
  if (existsSync(folder)) return join(folder, 'package');
  const fresh = mkdtempSync(join(tmpdir(), 'kubeloom-package-'));
  try {
    execFileSync('npm', ['pack', `${name}@${version}`, '--silent', '--ignore-scripts', '--pack-destination', fresh], { stdio: 'pipe' });
    const [archive = ''] = readdirSync(fresh);
    const [algorithm = ''] = integrity.split('-', 1);
    const hash = createHash(algorithm)
      .update(readFileSync(join(fresh, archive)))
      .digest('base64');
    if (`${algorithm}-${hash}` !== integrity) throw new Error(`${name}@${version} has the hash ${algorithm}-${hash}, not ${integrity}`);
    mkdirSync(cache, { recursive: true });
    const unpacked = mkdtempSync(join(cache, 'unpacked-'));
    execFileSync('tar', ['--extract', '--gzip', '--file', join(fresh, archive), '--directory', unpacked]);
    renameSync(unpacked, folder);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  return join(folder, 'package');
}
