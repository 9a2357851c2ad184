/** Returns the flags of a command by name, as pflag reads them: `--port=80`, `--port 80`, `-p 80` and `--tcp`. */
export function flagsOf(args: readonly string[], shorthands: Readonly<Record<string, string>> = {}): ReadonlyMap<string, string> {
  const flags = new Map<string, string>();
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (!arg.startsWith('-')) continue;
    const [, name = '', value] = /^--?([^=]+)(?:=(.*))?$/s.exec(arg) ?? [];
    const next = args[at + 1];
    const full = shorthands[name] ?? name;
    if (value !== undefined) flags.set(full, value);
    else if (next !== undefined && !next.startsWith('-')) {
      flags.set(full, next);
      at++;
    } else flags.set(full, 'true');
  }
  return flags;
}

export function numberFlag(flags: ReadonlyMap<string, string>, name: string, fallback: number): number {
  const text = flags.get(name);
  return text !== undefined && /^-?\d{1,9}$/.test(text) ? Number(text) : fallback;
}
