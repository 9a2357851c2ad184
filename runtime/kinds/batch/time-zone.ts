/** Names that ICU knows and the IANA database does not. */
const icuNames: ReadonlySet<string> = new Set([
  'ACT',
  'AET',
  'AGT',
  'ART',
  'AST',
  'BET',
  'BST',
  'CAT',
  'CNT',
  'CST',
  'CTT',
  'EAT',
  'ECT',
  'IET',
  'IST',
  'JST',
  'MIT',
  'NET',
  'NST',
  'PLT',
  'PNT',
  'PRT',
  'PST',
  'SST',
  'VST',
]);

/** Whether the IANA database has the name, or it is one that Go knows: "", UTC or Local. (time.LoadLocation) */
export function isTimeZone(name: string): boolean {
  if (name === '' || name === 'Local') return true;
  const isWritten = name.split('/').every((part) => /^[A-Z]/.test(part));
  if (!isWritten || icuNames.has(name) || name.startsWith('SystemV/')) return false;
  const known = canonicalName(name);
  // the names of zones tell capital letters from others, which ICU does not
  return known !== undefined && (known === name || known.toLowerCase() !== name.toLowerCase());
}

function canonicalName(timeZone: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}
