/** Returns the shortest equivalent path. (path.Clean) */
export function cleanPath(path: string): string {
  const isRooted = path.startsWith('/');
  const kept: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') kept.push(part);
    else if (kept.length > 0 && kept.at(-1) !== '..') kept.pop();
    else if (!isRooted) kept.push(part);
  }
  const cleaned = kept.join('/');
  return isRooted ? `/${cleaned}` : cleaned || '.';
}

/** Joins the non-empty paths. Returns "" if all are empty. (path.Join) */
export function joinPaths(...paths: readonly string[]): string {
  const joined = paths.filter((path) => path !== '').join('/');
  return joined === '' ? '' : cleanPath(joined);
}

/**
 * Joins like `joinPaths`, and keeps the final slash of the last non-empty path. (utilnet.JoinPreservingTrailingSlash)
 */
export function joinPreservingTrailingSlash(...paths: readonly string[]): string {
  const joined = joinPaths(...paths);
  const last = paths.findLast((path) => path !== '') ?? '';
  return last.endsWith('/') && !joined.endsWith('/') ? `${joined}/` : joined;
}
