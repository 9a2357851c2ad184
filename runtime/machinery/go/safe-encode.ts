/**
 * Characters without vowels, which could make words, and without digits that look like letters. (apimachinery
 * pkg/util/rand)
 */
export const alphanums = 'bcdfghjklmnpqrstvwxz2456789';

/**
 * Replaces each ASCII character with one that cannot be part of a word. (apimachinery pkg/util/rand SafeEncodeString)
 */
export function safeEncodeString(text: string): string {
  let encoded = '';
  for (let at = 0; at < text.length; at++) encoded += alphanums[text.charCodeAt(at) % alphanums.length];
  return encoded;
}
