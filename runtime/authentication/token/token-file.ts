import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { messageOf } from '../../machinery/errors/message-of.ts';
import type { UserInfo } from '../../machinery/user-info.ts';

/** A token file that cannot be read or parsed. */
export class TokenFileError extends Error {
  readonly isTokenFileError = true;
}

/** Returns the user of a token. */
export type StaticTokens = (token: string) => UserInfo | undefined;

/**
 * Reads static tokens from CSV lines of `token,user name,user uid` and, quoted, `"group1,group2"`. The file is read once.
 * (--token-auth-file; apiserver authentication/token/tokenfile)
 *
 * @throws TokenFileError if the file cannot be read, or a line has fewer than three columns
 */
export async function readTokenFile(path: string): Promise<StaticTokens> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    throw new TokenFileError(`token file ${JSON.stringify(path)}: ${messageOf(error)}`);
  }
  return parseTokens(text, path);
}

/** Reads static tokens from text. Looks them up by hash, so that timing reveals nothing about them. */
export function parseTokens(text: string, path = 'tokens'): StaticTokens {
  const users = new Map<string, UserInfo>();
  for (const record of parseCsv(text, path)) {
    if (record.length < 3) {
      throw new TokenFileError(`token file '${path}' must have at least 3 columns (token, user name, user uid), found ${record.length}`);
    }
    const [token = '', name = '', uid = '', groups = ''] = record;
    if (token === '') continue;
    users.set(digest(token), { name, uid, groups: groups === '' ? [] : groups.split(','), extra: {} });
  }
  return (token) => users.get(digest(token));
}

function digest(token: string): string {
  return hash('sha256', token, 'base64');
}

/** Parses RFC 4180 records without blank lines, as Go's encoding/csv. */
function parseCsv(text: string, path: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  let at = 0;
  const invalid = (reason: string): TokenFileError => new TokenFileError(`token file '${path}': ${reason}`);
  while (at < text.length) {
    let field = '';
    if (text[at] === '"') {
      at++;
      for (;;) {
        const quote = text.indexOf('"', at);
        if (quote < 0) throw invalid('a quoted field has no end');
        field += text.slice(at, quote);
        at = quote + 1;
        if (text[at] !== '"') break;
        field += '"';
        at++;
      }
      if (at < text.length && !',\r\n'.includes(text.charAt(at))) throw invalid('text behind a quoted field');
    } else {
      const start = at;
      while (at < text.length && !',\n'.includes(text.charAt(at))) at++;
      field = text.slice(start, at).replace(/\r$/, '');
      if (field.includes('"')) throw invalid('a bare " in a field that is not quoted');
    }
    record.push(field);
    if (text[at] === ',') {
      at++;
      if (at < text.length) continue;
      record.push('');
    }
    if (text[at] === '\r') at++;
    if (text[at] === '\n') at++;
    if (record.length > 1 || record[0] !== '') records.push(record);
    record = [];
  }
  return records;
}
