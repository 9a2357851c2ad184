/** How much of a stranger's value a message shows, in characters. */
export const longestShown = 1_024;

/**
 * The beginning of a text that is too long for a message. Upstream shows values whole; a Status of ours stays small,
 * whatever was sent.
 */
export function shorten(text: string, longest: number = longestShown): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}...`;
}
