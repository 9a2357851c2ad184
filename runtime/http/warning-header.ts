import type { ApiContext } from './context.ts';

/**
 * The limit of all warnings together, in code points. Beyond it, each warning is truncated to `itemLimit`. (apiserver
 * endpoints/filters/warning.go)
 */
const totalLimit = 4 * 1024;
const itemLimit = 256;

/** Sets the warnings of a request as headers, each text once. Called just before the head of a response is written. */
export function setWarningHeaders(ctx: ApiContext): void {
  const warnings = ctx.state?.warnings;
  if (warnings === undefined || warnings.length === 0) return;
  const headers = warningHeaders(warnings);
  if (headers.length > 0) ctx.res.setHeader('Warning', headers);
}

/**
 * Returns one header for each text. If the texts together exceed `totalLimit`, all are truncated, and texts after the
 * limit are dropped.
 */
export function warningHeaders(warnings: readonly string[]): string[] {
  let whole = 0;
  const kept: string[] = [];
  for (const text of new Set(warnings)) {
    if (text === '' || hasControl(text)) continue;
    kept.push(text);
    whole += lengthOf(text);
    if (whole > totalLimit) return truncatedHeaders(warnings, kept.length);
  }
  return kept.map(header);
}

/** @param overflow the number of texts that are written in any case: those up to the one that exceeded the limit */
function truncatedHeaders(warnings: readonly string[], overflow: number): string[] {
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

/** Returns the number of code points, as Go counts. */
const lengthOf = (text: string): number => (/[\ud800-\udfff]/.test(text) ? [...text].length : text.length);

/** Node writes each character of a header value as one byte. */
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
