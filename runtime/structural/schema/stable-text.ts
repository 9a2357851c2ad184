/** JSON with sorted members, so that equal values have equal text, as Go encodes maps. */
export function stableText(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(stableText).join(',')}]`;
  const members = Object.entries(value as Record<string, unknown>);
  members.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${stableText(member)}`).join(',')}}`;
}
