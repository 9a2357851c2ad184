import { type Attack, hungUp } from './attack.ts';
import type { Outcome } from './attacked-server.ts';

/** Milliseconds: ten times the target, since machines may be slow and busy. */
const longestStand = 500;
/** An error response is short, whatever it rejects; bytes. */
const maxErrorBytes = 64 * 1024;

/** What is wrong with the outcome of an attack, in words; undefined if nothing is. */
export function complaints({ answers, says }: Attack, outcome: Outcome): string[] {
  const { answer, isStuck, stand } = outcome;
  if (isStuck) return ['the server was stuck, or died'];
  const found: string[] = [];
  const said = `${answer.status === hungUp ? 'the connection ended' : answer.status} ${answer.body.slice(0, 250)}`;
  if (!answers.includes(answer.status)) found.push(`wanted ${answers.join(' or ')}: ${said}`);
  else if (says !== undefined && !isSaid(says, answer.body)) found.push(`wanted ${says}: ${said}`);
  if (answer.status >= 400 && answer.bytes > maxErrorBytes)
    found.push(`an error response of ${answer.bytes} bytes: ${said}`);
  if (stand > longestStand) found.push(`the event loop stood for ${Math.round(stand)} ms`);
  return found;
}

/** Messages in JSON escape quotes; rows are written without escapes. */
const isSaid = (wanted: string | RegExp, body: string): boolean => {
  const text = body.replaceAll('\\"', '"');
  return typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text);
};
