import { type Members, type OptionType, object } from '../machinery/options/option-type.ts';
import { optionGroups } from './option-groups.ts';
import { isFlag, type OptionRow } from './option-row.ts';
import type { ServerOptions } from './server-options.ts';

/** The values that programs may give as an option. */
export function checkOf(row: OptionRow): OptionType {
  const check = row.check ?? (isFlag(row) ? row.value.check : undefined);
  if (check === undefined) throw new Error(`the row of ${row.option} has neither a check nor a flag`);
  return check as OptionType;
}

const rows = optionGroups.flatMap(([, group]) => group);

/** What depends on other options is checked where they are used. */
export const serverMembers = Object.fromEntries(rows.map((row) => [row.option, checkOf(row)])) as unknown as Members<ServerOptions>;

export const serverOptions = object<ServerOptions>(serverMembers);
