import { type Attack, hungUp } from './attack.ts';
import type { Outcome } from './attacked-server.ts';

/** Milliseconds: ten times what is aimed at, since the machines of strangers are slow and busy. */
const longestStand = 500;
/** A refusal is short, whatever it refuses; bytes. */
const longestRefusal = 64 * 1024;

/** What is wrong with what came of an attack, in words; nothing where all is well. */
export function complaints({ answers, says }: Attack, outcome: Outcome): string[] {
  const { answer, isStuck, stand } = outcome;
  if (isStuck) return ['the server was stuck, or died'];
  const found: string[] = [];
  const said = `${answer.status === hungUp ? 'the connection ended' : answer.status} ${answer.body.slice(0, 250)}`;
  if (!answers.includes(answer.status)) found.push(`wanted ${answers.join(' or ')}: ${said}`);
  else if (says !== undefined && !isSaid(says, answer.body)) found.push(`wanted ${says}: ${said}`);
  if (answer.status >= 400 && answer.bytes > longestRefusal) found.push(`a refusal of ${answer.bytes} bytes: ${said}`);
  if (stand > longestStand) found.push(`the event loop stood for ${Math.round(stand)} ms`);
  return found;
}

/** Quotes in messages are escaped in JSON; rows are written without. */
const isSaid = (wanted: string | RegExp, body: string): boolean => {
  const text = body.replaceAll('\\"', '"');
  return typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text);
};
