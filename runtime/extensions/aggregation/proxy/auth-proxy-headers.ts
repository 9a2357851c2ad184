import type { Headers } from '../../../client/transport/transport.ts';
import type { UserInfo } from '../../../machinery/user-info.ts';

/** Sets the headers of the user, replacing headers of the client. (client-go transport.SetAuthProxyHeaders) */
export function setAuthProxyHeaders(headers: Headers, { name, uid, groups, extra }: UserInfo): void {
  for (const header of [...headers.keys()]) {
    if (/^x-remote-(?:user|uid|group|extra-.*)$/.test(header)) headers.delete(header);
  }
  headers.set('x-remote-user', [bytes(name)]);
  if (uid) headers.set('x-remote-uid', [bytes(uid)]);
  if (groups.length > 0) headers.set('x-remote-group', groups.map(bytes));
  for (const [key, values] of Object.entries(extra)) {
    if (values.length > 0) headers.set(`x-remote-extra-${escapeHeaderKey(key)}`, values.map(bytes));
  }
}

/** Encodes UTF-8 as one character for each byte. Node sends each character of a header as one byte, Go sends UTF-8. */
const bytes = (text: string): string => (/^[\x20-\x7e]*$/.test(text) ? text : Buffer.from(text).toString('latin1'));

/** Escapes characters that header names cannot contain, and the percent sign. (client-go transport.headerKeyEscape) */
function escapeHeaderKey(key: string): string {
  return [...Buffer.from(key)]
    .map((byte) => {
      const char = String.fromCharCode(byte);
      return /[!#$&'*+\-.^_`|~0-9A-Za-z]/.test(char) ? char : `%${byte.toString(16).padStart(2, '0').toUpperCase()}`;
    })
    .join('');
}
