import type { FieldFacts } from '../load/field-facts.ts';
import type { OpenApiDocument } from '../load/openapi.ts';

/** What an import starts from, wherever it was read. */
export interface ImportSource {
  /** For the manifest: what was read. */
  readonly kind: 'folder' | 'file' | 'protos' | 'swagger' | 'server';
  /** By file name below openapi/: `apis/apps/v1.json`. */
  readonly documents: ReadonlyMap<string, OpenApiDocument>;
  /** Texts by file name below proto/. */
  readonly protos: ReadonlyMap<string, string>;
  readonly facts?: FieldFacts;
  /** The bytes that were read, by a name that tells no machine's paths. */
  readonly inputs: ReadonlyMap<string, string>;
}

/** An import that cannot be: shown as one line. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
}

/** JSON, or an error that says where it was to be found. */
export function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ImportError(`${name}: ${(error as Error).message}`);
  }
}
