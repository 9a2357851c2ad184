import type { FieldFacts } from '../load/field-facts.ts';
import type { OpenApiDocument } from '../load/openapi.ts';

/** The input of an import, wherever it was read from. */
export interface ImportSource {
  /** For the manifest: the kind of input. */
  readonly kind: 'published' | 'folder' | 'file' | 'protos' | 'swagger' | 'server';
  /** By file name below openapi/: `apis/apps/v1.json`. */
  readonly documents: ReadonlyMap<string, OpenApiDocument>;
  /** Texts by file name below proto/. */
  readonly protos: ReadonlyMap<string, string>;
  readonly facts?: FieldFacts;
  /** The texts that were read, by names that do not depend on the machine. */
  readonly inputs: ReadonlyMap<string, string>;
  /** The version of Kubernetes that the Go modules are of: `v1.35.1`. */
  readonly version?: string;
}

/** Where the .proto files and the field facts of an import are. */
export interface ExtraFiles {
  readonly proto?: string;
  readonly facts?: string;
}

/** An import that fails because of its input; shown as one line. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
}
