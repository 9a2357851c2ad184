import type { ApiContext } from './state.ts';

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

export function warningHeaders(warnings: readonly string[]): string[] {
  const texts = [...new Set(warnings)].filter((text) => text !== '' && !hasControl(text));
  const total = texts.reduce((sum, text) => sum + text.length, 0);
  if (total <= totalLimit) return texts.map(header);
  const headers: string[] = [];
  let written = 0;
  for (const text of texts) {
    if (written >= totalLimit) break;
    const short = [...text].slice(0, itemLimit);
    written += short.length;
    headers.push(header(short.join('')));
  }
  return headers;
}

/** Header values are bytes to Node, one a character. */
function header(text: string): string {
  const quoted = text.replace(/["\\]/g, (char) => `\\${char}`);
  return `299 - "${Buffer.from(quoted, 'utf8').toString('latin1')}"`;
}

function hasControl(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || code === 0x7f) return true;
  }
  return false;
}
