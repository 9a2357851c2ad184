import { quote } from '../machinery/go/quote.ts';
import type { Authorizer, AuthorizerDecision } from './authorizer.ts';

const allowed: AuthorizerDecision = { decision: 'allow', reason: '' };
const noOpinion: AuthorizerDecision = { decision: 'no-opinion', reason: '' };

/**
 * Allows requests of all users for some non-resource paths. A path that ends in `*` is a prefix. The leading slash is
 * optional. The authorizer lists no rules. (apiserver pkg/authorization/path)
 *
 * @throws Error for a `*` elsewhere
 */
export function pathAuthorizer(alwaysAllowPaths: readonly string[]): Authorizer {
  const paths = new Set<string>();
  const prefixes: string[] = [];
  for (const path of alwaysAllowPaths.map(withoutSlash)) {
    if (path.slice(0, -1).includes('*')) throw new Error(`only trailing * allowed in ${quote(path)}`);
    if (path.endsWith('*')) prefixes.push(path.slice(0, -1));
    else paths.add(path);
  }
  return {
    authorize({ isResourceRequest, path }) {
      if (isResourceRequest) return noOpinion;
      const wanted = withoutSlash(path);
      return paths.has(wanted) || prefixes.some((prefix) => wanted.startsWith(prefix)) ? allowed : noOpinion;
    },
  };
}

const withoutSlash = (path: string): string => (path.startsWith('/') ? path.slice(1) : path);
