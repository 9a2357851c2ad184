const letter = /\p{L}/u;
const digit = /\p{Nd}/u;
const onlyLetters = /^[A-Za-z]*$/;

/**
 * Compares keys in go-yaml's order: letters by code, numbers inside keys by value, so that `a2` precedes `a10`, and
 * other characters before letters. (go-yaml v2 sorter.go)
 */
export function compareKeys(left: string, right: string): number {
  if (onlyLetters.test(left) && onlyLetters.test(right)) return left < right ? -1 : left > right ? 1 : 0;
  const a = [...left];
  const b = [...right];
  for (const [i, x] of a.entries()) {
    const y = b[i];
    if (y === undefined) break;
    if (x === y) continue;
    const [aLetter, bLetter] = [letter.test(x), letter.test(y)];
    if (aLetter && bLetter) return byCode(x, y);
    if (aLetter || bLetter) return aLetter ? 1 : -1;
    return compareNumbers(a, b, i);
  }
  return a.length - b.length;
}

const byCode = (a: string, b: string): number => (a.codePointAt(0) as number) - (b.codePointAt(0) as number);

/** Compares runs of digits by value, then by length. Zeros inside a number are part of it. */
function compareNumbers(a: readonly string[], b: readonly string[], at: number): number {
  let inside = false;
  if (a[at] === '0' || b[at] === '0') {
    for (let i = at - 1; digit.test(a[i] ?? '') && !inside; i--) inside = a[i] !== '0';
  }
  const [aRun, bRun] = [run(a, at), run(b, at)];
  const prefix = inside ? '1' : '';
  const [aValue, bValue] = [int64(prefix + aRun), int64(prefix + bRun)];
  if (aValue !== bValue) return aValue < bValue ? -1 : 1;
  return aRun.length - bRun.length || byCode(a[at] ?? '', b[at] ?? '');
}

/** Returns the int64 value of digits, with silent overflow as in Go. */
function int64(digits: string): bigint {
  let value = 0n;
  for (let i = 0; i < digits.length; i += 15) {
    const some = digits.slice(i, i + 15);
    value = BigInt.asIntN(64, value * 10n ** BigInt(some.length) + BigInt(some));
  }
  return value;
}

function run(text: readonly string[], at: number): string {
  let digits = '';
  for (const char of text.slice(at)) {
    if (!/[0-9]/.test(char)) break;
    digits += char;
  }
  return digits;
}
