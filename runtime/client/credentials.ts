import { readFile } from 'node:fs/promises';
import type { ClientCredentials } from './options.ts';

export interface AuthorizationHeader {
  readonly authorization?: string;
}

/** Milliseconds until a token file is read again: a minute minus ten seconds of leeway. (NewCachedFileTokenSource) */
const tokenPeriod = 50_000;

/**
 * Returns a function for the Authorization header of each request. A password takes precedence over a token. If a token
 * file cannot be read, the previous token stays in use; without a `token` option, the function rejects instead.
 * (client-go transport NewBearerAuthWithRefreshRoundTripper)
 *
 * @param now returns milliseconds
 */
export function credentials(
  { token, tokenFile, username, password = '' }: ClientCredentials,
  now: () => number = Date.now,
): () => AuthorizationHeader | Promise<AuthorizationHeader> {
  if (username) {
    const basic = { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` };
    return () => basic;
  }
  let header = bearer(token);
  if (tokenFile === undefined) return () => header;
  let readAt = Number.NEGATIVE_INFINITY;
  return async () => {
    if (now() - readAt < tokenPeriod) return header;
    try {
      header = bearer(await readToken(tokenFile));
      readAt = now();
    } catch (error) {
      if (header.authorization === undefined) throw error;
    }
    return header;
  };
}

/** @throws Error if the file cannot be read, or is empty */
async function readToken(path: string): Promise<string> {
  const token = (await readFile(path, 'utf8')).trim();
  if (token === '') throw new Error(`read empty token from file "${path}"`);
  return token;
}

const bearer = (token: string | undefined): AuthorizationHeader => (token === undefined ? {} : { authorization: `Bearer ${token}` });
