import { isIP } from 'node:net';

const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const dotAtom = `${atom}(?:\\.${atom})*`;
const quoted = '"(?:[^"\\\\\\r\\n]|\\\\[^\\r\\n])+"';
const literal = '\\[([^\\[\\]\\\\]*)\\]';
const space = '[ \\t]*';
const address = `${space}(?:${dotAtom}|${quoted})@${space}(?:${dotAtom}|${literal})`;
const comment = '\\((?:[^()\\\\]|\\\\.)*\\)';
const name = `(?:[A-Za-z0-9!#$%&'*+/=?^_\`{|}~. \\t-]|${quoted})*`;

const plain = new RegExp(`^${address}${space}(?:${comment}${space})?$`);
const named = new RegExp(`^${name}<${address}>${space}(?:${comment}${space})?$`);

/**
 * Reports whether a text is the address of one mailbox, as `a@b.c` or `A <a@b.c>`. Groups and nested comments are
 * refused. (RFC 5322; net/mail ParseAddress)
 *
 * @param text in ASCII
 */
export function isMailAddress(text: string): boolean {
  const match = plain.exec(text) ?? named.exec(text);
  if (match === null) return false;
  const [, host] = match;
  return host === undefined || isIP(host) !== 0;
}
