import { reworded } from './unproven.ts';

/** The comparison between the listed entries and the titles of tests. */

export const sectionOf = (list: string, group: string): string => list.slice(list.indexOf(`## [${group}]`)).split('\n## ', 2)[0] as string;

/** Removes the parts that describe a run and not the test. */
export const plain = (title: string): string =>
  title
    .replaceAll(/\[(sig-[a-z-]+|Serial|Slow|LinuxOnly)\]/g, '')
    .replaceAll(/\(%s\)|over %s storage|%s/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Returns a pattern of the titles that an entry may mean. `…` stands for omitted words. */
export const meant = (entry: string): RegExp => {
  const parts = plain(reworded[entry] ?? entry).split('…');
  return new RegExp(`^${parts.map((part) => escaped(part.trim())).join('.*')}\\.?$`, 'i');
};
const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
