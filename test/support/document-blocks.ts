import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './generated-project.ts';

/** A fenced block of a document: its language, the rest of the fence line, and the text. */
export interface Block {
  readonly language: string;
  readonly note: string;
  readonly text: string;
}

/** Returns the fenced blocks of a document, in order. @param document relative to the root of the project */
export async function blocksOf(document: string): Promise<Block[]> {
  const text = await readFile(join(root, document), 'utf8');
  return [...text.matchAll(/^```(\w+)(?: (.*))?\n([\s\S]*?)^```$/gm)].map(([, language, note = '', body]) => ({
    language,
    note,
    text: body,
  }));
}

/** Returns the block's `file=`; undefined without one. */
export function fileOf({ note }: Block): string | undefined {
  return /^file=(.+)$/.exec(note)?.[1];
}
