import { quoteExcerpt as quote } from '../go/quote.ts';

/**
 * Returns a number unchanged, or a percentage of `total`. (apimachinery pkg/util/intstr GetScaledValueFromIntOrPercent)
 *
 * @param value absent counts as 0
 * @throws Error for a text that is not a percentage
 */
export function scaledIntOrPercent(value: number | string | undefined, total: number, roundUp: boolean): number {
  if (typeof value !== 'string') return value ?? 0;
  const percent = /^([+-]?[0-9]+)%$/.exec(value)?.[1];
  if (percent === undefined) throw new Error(`invalid value for IntOrString: ${problemOf(value)}`);
  const scaled = (Number(percent) * total) / 100;
  return roundUp ? Math.ceil(scaled) : Math.floor(scaled);
}

const problemOf = (text: string): string =>
  text.endsWith('%')
    ? `invalid value ${quote(text)}: strconv.Atoi: parsing ${quote(text.slice(0, -1))}: invalid syntax`
    : 'invalid type: string is not a percentage';
