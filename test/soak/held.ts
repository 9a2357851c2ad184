import type { World } from './world.ts';

type Held = Readonly<Record<string, number>>;

const mebibyte = 2 ** 20;

/** Allowed growth: V8 keeps some code and shapes, and libuv a closing socket. */
const more: Held = { heapUsed: 24 * mebibyte, external: 24 * mebibyte, descriptors: 4, activeResources: 4 };

/** Reports whether everything is released. */
export const compare = (before: Held, after: Held): boolean =>
  Object.entries(more).every(([what, tolerance]) => after[what] <= before[what] + tolerance);

/** Prints two small tables: the steps, and the server's resources. */
export function print(worlds: readonly World[], before: Held, after: Held): void {
  console.log('\n| client | steps | failed |\n|---|---|---|');
  for (const { name, done, failed } of worlds) console.log(`| ${name} | ${done} | ${failed} |`);
  console.log('\n| held | before | after | tolerance | |\n|---|---|---|---|---|');
  const names = [...Object.keys(more), 'rss', ...resourcesOf(before, after)];
  for (const what of names) {
    const text = (of: number | undefined): string =>
      of === undefined ? '' : of >= mebibyte ? `${(of / mebibyte).toFixed(1)} MiB` : String(of);
    const tolerance = more[what];
    const isBack = tolerance === undefined ? '' : after[what] <= before[what] + tolerance ? 'back' : 'NOT BACK';
    console.log(
      `| ${what} | ${text(before[what] ?? 0)} | ${text(after[what] ?? 0)} | ${tolerance === undefined ? '' : `+${text(tolerance)}`} | ${isBack} |`,
    );
  }
}

const resourcesOf = (...all: Held[]): string[] => [
  ...new Set(all.flatMap((held) => Object.keys(held).filter((name) => name.startsWith('active ')))),
];
