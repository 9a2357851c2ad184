import type { ApiContext } from './context.ts';

/** Past this many characters in all, every warning is cut to `itemLimit`. (apiserver endpoints/filters/warning.go) */
const totalLimit = 4 * 1024;
const itemLimit = 256;

/** Writes the warnings of a request as headers, once each. Called just before the head of an answer goes out. */
export function setWarningHeaders(ctx: ApiContext): void {
  const warnings = ctx.state?.warnings;
  if (warnings === undefined || warnings.length === 0) return;
  const headers = warningHeaders(warnings);
  if (headers.length > 0) ctx.res.setHeader('Warning', headers);
}

/**
 * One header a text. Once they would come to more than `totalLimit`, all so far are cut, and those that follow are cut
 * too until the limit is reached.
 */
export function warningHeaders(warnings: readonly string[]): string[] {
  let whole = 0;
  const kept: string[] = [];
  for (const text of new Set(warnings)) {
    if (text === '' || hasControl(text)) continue;
    kept.push(text);
    whole += lengthOf(text);
    if (whole > totalLimit) return cutHeaders(warnings, kept.length);
  }
  return kept.map(header);
}

/** @param overflow how many of the texts were one too many, and are written nevertheless */
function cutHeaders(warnings: readonly string[], overflow: number): string[] {
  const headers: string[] = [];
  let written = 0;
  for (const text of new Set(warnings)) {
    if (text === '' || hasControl(text)) continue;
    if (headers.length >= overflow && written >= totalLimit) break;
    const short = [...text].slice(0, itemLimit);
    written += short.length;
    headers.push(header(short.join('')));
  }
  return headers;
}

/** Characters, not the halves that JavaScript counts. */
const lengthOf = (text: string): number => (/[\ud800-\udfff]/.test(text) ? [...text].length : text.length);

/** Header values are bytes to Node, one a character. */
function header(text: string): string {
  const quoted = text.replace(/["\\]/g, (char) => `\\${char}`);
  return `299 - "${Buffer.from(quoted, 'utf8').toString('latin1')}"`;
}

function hasControl(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return true;
  }
  return false;
}
