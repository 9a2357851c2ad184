import { colon, letterUpperT, letterZ, minus, quote, zero } from './json-bytes.ts';

/** The length of the only form that is counted without decoding. */
export const timeLength = '2006-01-02T15:04:05Z'.length;
/** The days of a year before each month, in a year that begins in March. */
const daysBefore = [306, 337, 0, 31, 61, 92, 122, 153, 184, 214, 245, 275];

/**
 * Returns the seconds since the Unix epoch of a time whose text begins at `at`; undefined for years before 1970 and after 2099, for
 * days that some months do not have, and for other forms.
 */
export function plainSeconds(json: Uint8Array, at: number): number | undefined {
  const [year, month, day] = [100 * twoDigits(json, at) + twoDigits(json, at + 2), twoDigits(json, at + 5), twoDigits(json, at + 8)];
  const [hour, minute, second] = [twoDigits(json, at + 11), twoDigits(json, at + 14), twoDigits(json, at + 17)];
  const isPlain =
    json[at + 4] === minus &&
    json[at + 7] === minus &&
    json[at + 10] === letterUpperT &&
    json[at + 13] === colon &&
    json[at + 16] === colon &&
    json[at + 19] === letterZ &&
    json[at + 20] === quote;
  if (!isPlain || !(year >= 1970 && year <= 2099 && month >= 1 && month <= 12 && day >= 1 && day <= 28)) return undefined;
  if (!(hour <= 23 && minute <= 59 && second <= 59)) return undefined;
  // 2000 is the only year of a full century here, and it has a leap day.
  const shifted = month < 3 ? year - 1 : year;
  const days = 365 * (shifted - 1970) + Math.floor((shifted - 1968) / 4) + (daysBefore[month - 1] ?? 0) + day - 1 + marchOffset;
  return 86_400 * days + 3_600 * hour + 60 * minute + second;
}

/** The days from January 1 to March 1 of 1970. */
const marchOffset = 59;

/** Returns NaN if there are no two digits. */
function twoDigits(json: Uint8Array, at: number): number {
  const [tens, ones] = [(json[at] ?? 0) - zero, (json[at + 1] ?? 0) - zero];
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? 10 * tens + ones : Number.NaN;
}
