export const shown = 3;

/** The first three, and how many more there are. */
export const formatFirst = (items: readonly string[]): string =>
  items.length > shown ? `${items.slice(0, shown).join(',')} + ${items.length - shown} more...` : items.join(',');
