import { type Attack, hungUp } from './attack.ts';
import type { Outcome } from './attacked-server.ts';

/** Milliseconds: ten times the target, because machines may be slow and busy. */
const longestDelay = 500;
/** The maximum bytes of any error response. */
const maxErrorBytes = 64 * 1024;

/** Returns the problems of an attack's outcome. */
export function complaints({ codes, message, maxGrown = Number.POSITIVE_INFINITY }: Attack, outcome: Outcome): string[] {
  const { response, isStuck, delay, grown } = outcome;
  if (isStuck) return ['the server was stuck, or died'];
  const found: string[] = [];
  const received = `${response.status === hungUp ? 'the connection ended' : response.status} ${response.body.slice(0, 250)}`;
  if (!codes.includes(response.status)) found.push(`wanted ${codes.join(' or ')}: ${received}`);
  else if (message !== undefined && !contains(message, response.body)) found.push(`wanted ${message}: ${received}`);
  if (response.status >= 400 && response.bytes > maxErrorBytes) found.push(`an error response of ${response.bytes} bytes: ${received}`);
  if (delay > longestDelay) found.push(`the event loop was blocked for ${Math.round(delay)} ms`);
  if (grown > maxGrown) found.push(`memory grew by ${Math.round(grown / 2 ** 20)} MiB`);
  return found;
}

/** Messages in JSON escape quotes; rows are written without escapes. */
const contains = (wanted: string | RegExp, body: string): boolean => {
  const text = body.replaceAll('\\"', '"');
  return typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text);
};
