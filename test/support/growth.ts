/** The cheapest of five runs, in milliseconds of processor time: others may keep the machine busy. */
function cheapest(work: () => void): number {
  const times = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}

/** Less than this many milliseconds are taken for as many: they may be anything. */
const least = 10;

/**
 * How much more time four times the input takes: about 4 for what is linear, 16 for what is quadratic, and less where
 * either is too little to be measured.
 *
 * @param prepare makes the input, whose time does not count
 */
export function growth<T>(n: number, prepare: (n: number) => T, work: (input: T) => void): number {
  const [small, large] = [prepare(n), prepare(4 * n)];
  const base = Math.max(
    cheapest(() => work(small)),
    least,
  );
  return cheapest(() => work(large)) / base;
}

/** Growth below this is linear, with room for a noisy machine. */
export const linear = 10;
