import { type Members, type OptionType, object } from '../machinery/options/option-type.ts';
import { optionGroups } from './option-groups.ts';
import { isFlag, type OptionRow } from './option-row.ts';
import type { ServerOptions } from './server-options.ts';

/** Returns the check of an option's values from programs. @throws Error if the row has neither a check nor a flag */
export function checkOf(row: OptionRow): OptionType {
  const check = row.check ?? (isFlag(row) ? row.value.check : undefined);
  if (check === undefined) throw new Error(`the row of ${row.option} has neither a check nor a flag`);
  return check as OptionType;
}

const rows = optionGroups.flatMap(([, group]) => group);

/** The checks of all options. Checks that depend on several options run where the options are used. */
export const serverMembers = Object.fromEntries(rows.map((row) => [row.option, checkOf(row)])) as Members<ServerOptions>;

export const serverOptions = object<ServerOptions>(serverMembers);
