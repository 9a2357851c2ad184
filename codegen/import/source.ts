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
  /** Where problems of the files are for those who wrote them. Default: in the files of the schemas folder. */
  readonly origins?: Origins;
}

/** The files that an import has read. */
export interface Origins {
  /** The paths of .proto files by their names below proto/. */
  readonly protos?: ReadonlyMap<string, string>;
  /** The paths of documents by their names below openapi/. */
  readonly documents?: ReadonlyMap<string, string>;
  /** The places of messages that components were made of, by ids: `shop.proto:12`. */
  readonly messages?: ReadonlyMap<string, { readonly place: string; readonly name: string }>;
  /** The one document that all others were made of. */
  readonly document?: {
    readonly path: string;
    readonly text: string;
    /** The parts of the pointer to a component, by its file and its id. */
    readonly components: ReadonlyMap<string, readonly string[]>;
  };
}

/** The key of a component in Origins. @param file as `apis/factory.example.com/v1.json` */
export const componentKey = (file: string, id: string): string => `${file}#${id}`;

/** Where the .proto files and the field facts of an import are. */
export interface ExtraFiles {
  readonly proto?: string | undefined;
  readonly facts?: string | undefined;
}

/** An import that fails because of its input; shown as one line. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
}
