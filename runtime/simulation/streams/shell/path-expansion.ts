import { ArgumentSpace } from '../../environment/argument-space.ts';
import { type ContainerFiles, resolvePath } from '../container-files.ts';
import { isGlob, matchesGlob } from './glob.ts';

/** The most files that a pattern finds. */
const maxFiles = 4096;

/**
 * Returns the paths that match a pattern, sorted: `/etc/*.conf`.
 *
 * @param from the folder of relative patterns
 * @throws ArgumentSpaceError
 */
export function pathsMatching(pattern: string, files: ContainerFiles, from: string): readonly string[] {
  const isAbsolute = pattern.startsWith('/');
  let found: string[] = [isAbsolute ? '/' : ''];
  for (const part of pattern.split('/').filter((each) => each !== '')) {
    const next: string[] = [];
    for (const folder of found) {
      const at = resolvePath(from, folder === '' ? '.' : folder);
      const prefix = folder === '' || folder.endsWith('/') ? folder : `${folder}/`;
      const names = isGlob(part)
        ? files.list(at).filter((name) => name.startsWith('.') === part.startsWith('.') && matchesGlob(part, name))
        : [part.replace(/\\(.)/gs, '$1')].filter(
            (name) => files.lstat(resolvePath(at, name)) !== undefined || name === '.' || name === '..',
          );
      for (const name of names) if (next.length < maxFiles) next.push(prefix + name);
    }
    found = next;
  }
  const space = new ArgumentSpace();
  for (const path of found) space.take(path);
  return found;
}
