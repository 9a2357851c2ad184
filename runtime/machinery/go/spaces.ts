const spaces = '\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';
const padded = new RegExp(`^[${spaces}]|[${spaces}]$`);

/** Reports whether Go's strings.TrimSpace would shorten a text. trim() removes slightly different characters. */
export const isPadded = (text: string): boolean => padded.test(text);
