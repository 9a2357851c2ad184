import type { OpenApiDocument } from '../openapi.ts';

export function expandDocument(document: unknown): OpenApiDocument {
  return document as OpenApiDocument;
}
