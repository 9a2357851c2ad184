const spaces = '\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';
const padded = new RegExp(`^[${spaces}]|[${spaces}]$`);

/** Whether a text begins or ends with what Go's strings.TrimSpace removes, which is not quite what trim() does. */
export const isPadded = (text: string): boolean => padded.test(text);
