import { type Flag, invalidFlag, type ParsedFlags } from '../machinery/options/flags.ts';

/** The flag of commands whose output is for people or for programs. */
export const outputFlag: Flag = {
  name: 'output',
  type: 'string',
  value: 'text|json',
  default: 'text',
  about: 'Format of what is printed.',
};

/** @throws UsageError for another format */
export function isJsonOutput(flags: ParsedFlags): boolean {
  const output = flags.string(outputFlag.name) ?? 'text';
  if (output !== 'text' && output !== 'json') throw invalidFlag(outputFlag.name, output, 'must be text or json');
  return output === 'json';
}
