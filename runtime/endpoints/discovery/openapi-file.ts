import { readFile } from 'node:fs/promises';
import type { TimeSlice } from '../../machinery/event-loop/yield.ts';

/**
 * The members of an OpenAPI document as JSON texts, by section and name. The sections are `paths`, `definitions`,
 * `parameters`, `components.schemas`, `components` without these, and "" for the members besides sections.
 */
export type DocumentSections = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Reads a document of the generator, which has a line for each member, or any other. */
export async function readDocument(file: string, slice: TimeSlice): Promise<DocumentSections> {
  const text = await readFile(file, 'utf8');
  const sections = new Sections();
  if (text.startsWith('{\n"')) await sections.addLines(text, slice);
  else await sections.addDocument(JSON.parse(text), slice);
  return sections.all;
}

const none: ReadonlyMap<string, string> = new Map();

/** Returns the members of a section, or an empty map if the document does not have the section. */
export const sectionOf = (document: DocumentSections, section: string): ReadonlyMap<string, string> => document.get(section) ?? none;

const names: ReadonlySet<string> = new Set(['paths', 'definitions', 'parameters', 'components', 'components.schemas']);

class Sections {
  readonly all = new Map<string, Map<string, string>>();

  /** Takes texts as they stand: to parse megabytes at once would hold up the event loop. */
  async addLines(text: string, slice: TimeSlice): Promise<void> {
    const open: string[] = [];
    for (const line of text.split('\n')) {
      if (slice.isOver) await slice.next();
      const [start, name] = /^"((?:[^"\\]|\\.)*)":/.exec(line) ?? [];
      if (start === undefined || name === undefined) {
        if (line.startsWith('}')) open.pop();
        continue;
      }
      const value = line.endsWith(',') ? line.slice(start.length, -1) : line.slice(start.length);
      const isSection = names.has([...open, name].join('.'));
      // an empty one ends on its line
      if (isSection && value === '{') open.push(name);
      else if (!isSection) this.#add(open.join('.'), JSON.parse(`"${name}"`), value);
    }
  }

  async addDocument(members: Readonly<Record<string, object>>, slice: TimeSlice, section = ''): Promise<void> {
    for (const [name, value] of Object.entries(members)) {
      if (slice.isOver) await slice.next();
      const path = section === '' ? name : `${section}.${name}`;
      const isSection = (section === '' || section === 'components') && names.has(path);
      if (isSection) await this.addDocument(value as Record<string, object>, slice, path);
      else this.#add(section, name, JSON.stringify(value));
    }
  }

  #add(section: string, name: string, text: string): void {
    const members = this.all.get(section);
    if (members === undefined) this.all.set(section, new Map([[name, text]]));
    else members.set(name, text);
  }
}
