/** Returns the canonical text of an IPv6 address of eight groups. It leaves out the longest run of zeros. (RFC 5952) */
export function ipv6Text(groups: readonly number[]): string {
  const { start, length } = longestZeroes(groups);
  const texts = groups.map((group) => group.toString(16));
  if (length < 2) return texts.join(':');
  return `${texts.slice(0, start).join(':')}::${texts.slice(start + length).join(':')}`;
}

function longestZeroes(groups: readonly number[]): { start: number; length: number } {
  let best = { start: 0, length: 0 };
  for (let start = 0; start < groups.length; start++) {
    let end = start;
    while (end < groups.length && groups[end] === 0) end++;
    if (end - start > best.length) best = { start, length: end - start };
  }
  return best;
}
