import type { Flag, ParsedFlags } from '../machinery/options/flags.ts';
import { oneOf } from '../options/flag-values.ts';

const output = oneOf(['text', 'json'], 'text');

/** The flag of commands whose output is for people or for programs. */
export const outputFlag: Flag = {
  name: 'output',
  type: output.type,
  value: output.value,
  default: output.default,
  about: 'Format of what is printed.',
};

/** @throws UsageError for another format */
export const isJsonOutput = (flags: ParsedFlags): boolean => output.read(flags, outputFlag.name) === 'json';
