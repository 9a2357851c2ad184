import { declare, global, type Library } from '../checker/declarations.ts';
import { stringType } from '../types/type.ts';
import { jsonPatchStruct } from './json-patch-value.ts';
import { objectStruct } from './object-value.ts';

const escapes: Readonly<Record<string, string>> = { '/': '~1', '~': '~0' };

/** Types for expressions that change objects. (apiserver pkg/cel/mutation, pkg/cel/library/jsonpatch.go) */
export const mutationLibrary: Library = {
  name: 'kubernetes.jsonpatch',
  structs: (name) => (name === jsonPatchStruct.type.name ? jsonPatchStruct : objectStruct(name)),
  functions: [
    declare('jsonpatch.escapeKey', [
      global('string_jsonpatch_escapeKey_string', [stringType], stringType, (key) =>
        (key as string).replace(/[/~]/g, (char) => escapes[char] ?? char),
      ),
    ]),
  ],
};
