import type { FieldFacts } from '../load/field-facts.ts';
import type { OpenApiDocument } from '../load/openapi.ts';

/** The input of an import, from any source. */
export interface ImportSource {
  /** The kind of input, for the manifest. */
  readonly kind: 'published' | 'folder' | 'file' | 'protos' | 'swagger' | 'server';
  /** The documents by file name below openapi/: `apis/apps/v1.json`. */
  readonly documents: ReadonlyMap<string, OpenApiDocument>;
  /** The texts by file name below proto/. */
  readonly protos: ReadonlyMap<string, string>;
  readonly facts?: FieldFacts;
  /** The source texts, by names that do not depend on the machine. */
  readonly inputs: ReadonlyMap<string, string>;
  /** The version of Kubernetes in the Go modules: `v1.35.1`. */
  readonly version?: string;
  /** The original places of problems. Default: the files of the schemas folder. */
  readonly origins?: Origins;
}

/** The original files of an import. */
export interface Origins {
  /** The paths of .proto files by their names below proto/. */
  readonly protos?: ReadonlyMap<string, string>;
  /** The paths of documents by their names below openapi/. */
  readonly documents?: ReadonlyMap<string, string>;
  /** The places of the messages that components come from, by id: `shop.proto:12`. */
  readonly messages?: ReadonlyMap<string, { readonly place: string; readonly name: string }>;
  /** The one document that all others come from. */
  readonly document?: {
    readonly path: string;
    readonly text: string;
    /** The parts of the pointer to a component, by its file and id. */
    readonly components: ReadonlyMap<string, readonly string[]>;
  };
}

/** Returns the key of a component in Origins. @param file as `apis/factory.example.com/v1.json` */
export const componentKey = (file: string, id: string): string => `${file}#${id}`;

/** The paths of an import's .proto files and field facts. */
export interface ExtraFiles {
  readonly proto?: string | undefined;
  readonly facts?: string | undefined;
}

/** An import that fails because of its input; shown as one line. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
}
