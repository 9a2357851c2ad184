import { type Pattern, patternOf } from '../../machinery/patterns/pattern.ts';
import { declare, type Library, member } from '../checker/declarations.ts';
import { intType, listOf, stringType } from '../types/type.ts';
import { ValueList } from '../values/list.ts';
import { CelError, type Value } from '../values/value.ts';

function withRegex(pattern: Value, use: (regex: Pattern) => Value): Value {
  const regex = patternOf(pattern as string);
  return regex.error === undefined ? use(regex) : new CelError(`Illegal regex: ${regex.error}`);
}

function findAll(text: Value, pattern: Value, limit: Value = -1): Value {
  return withRegex(pattern, (regex) => new ValueList(regex.findAll(text as string, Number(limit))));
}

/** find and findAll. (apiserver pkg/cel/library/regex.go) */
export const regexLibrary: Library = {
  name: 'kubernetes.regex',
  functions: [
    declare('find', [
      member('string_find_string', [stringType, stringType], stringType, (text, pattern) =>
        withRegex(pattern, (regex) => regex.find(text as string)),
      ),
    ]),
    declare('findAll', [
      member('string_find_all_string', [stringType, stringType], listOf(stringType), (text, pattern) => findAll(text, pattern)),
      member('string_find_all_string_int', [stringType, stringType, intType], listOf(stringType), findAll),
    ]),
  ],
};
