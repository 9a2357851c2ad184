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

/** Reports whether a zone exists: in the IANA database, or as "", UTC or Local in Go. (time.LoadLocation) */
export function isTimeZone(name: string): boolean {
  if (name === '' || name === 'Local') return true;
  const isWritten = name.split('/').every((part) => /^[A-Z]/.test(part));
  if (!isWritten || icuNames.has(name) || name.startsWith('SystemV/')) return false;
  const known = canonicalName(name);
  // names of zones are case-sensitive, but not for ICU
  return known !== undefined && (known === name || known.toLowerCase() !== name.toLowerCase());
}

function canonicalName(timeZone: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}
