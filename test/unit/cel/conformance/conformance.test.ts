import { tests as conformance } from '@bufbuild/cel-spec/testdata/conformance.js';
import { tests as parsing } from '@bufbuild/cel-spec/testdata/parsing.js';
import type { SerializedIncrementalTestSuite } from '@bufbuild/cel-spec/testdata/tests.js';
import { describe, expect, test } from '@jest/globals';
import { compileExpression, compileUnchecked, createEnvironment } from '../../../../runtime/cel/expression.ts';
import { formatType, type Type } from '../../../../runtime/cel/types/type.ts';
import { equal } from '../../../../runtime/cel/values/equality.ts';
import { formatValue, valueType } from '../../../../runtime/cel/values/types.ts';
import { isError, isTagged, type Value } from '../../../../runtime/cel/values/value.ts';
import { conformanceLibraries } from './libraries.ts';
import { NeedsMessages, typeFrom, valueFrom, type Wire } from './values.ts';

interface Case {
  readonly name: string;
  readonly case: Wire;
}

function cases(suite: SerializedIncrementalTestSuite, path = ''): Case[] {
  const own = (suite.tests ?? []).map(({ original }): Case => ({ name: `${path}/${original.name ?? original.expr}`, case: original }));
  return [...own, ...(suite.suites ?? []).flatMap((inner) => cases(inner, `${path}/${inner.name}`))];
}

/** Cases that differ between Kubernetes 1.35 (cel-go 0.26.0) and the newest conformance tests. */
const exceptions: Readonly<Record<string, string>> = {
  '/optionals/optionals/map_null_entry_no_such_key': 'an option of cel-go that Kubernetes does not turn on',
  '/optionals/optionals/map_present_key_invalid_field': 'an option of cel-go that Kubernetes does not turn on',
  '/string_ext/value_errors/indexof_out_of_range': 'gives -1 up to cel-go 0.26',
  '/string_ext/value_errors/lastindexof_out_of_range': 'gives -1 up to cel-go 0.26',
  '/type_deductions/legacy_nullable_types/null_assignable_to_abstract_parameter_candidate': 'cel-go 0.26 deduces null',
};

const messages = /\b[A-Z]\w*\{|TestAllTypes|google\.protobuf\.(?!Timestamp\b|Duration\b)|NestedEnum|GlobalEnum|proto\.|TestRequired/;

interface Outcome {
  readonly value?: Value;
  readonly type?: Type;
  readonly error?: string;
}

function run(wire: Wire): Outcome {
  const variables: Record<string, Type> = {};
  for (const declared of wire.typeEnv ?? []) {
    if (!declared.ident) throw new NeedsMessages('declares a function');
    variables[declared.name] = typeFrom(declared.ident.type);
  }
  const bindings: Record<string, Value> = {};
  for (const [name, bound] of Object.entries<Wire>(wire.bindings ?? {})) bindings[name] = valueFrom(bound.value);
  const environment = createEnvironment({
    variables,
    container: wire.container ?? '',
    libraries: conformanceLibraries,
  });
  if (wire.disableCheck) {
    const program = compileUnchecked(wire.expr, environment);
    return 'issues' in program ? { error: program.issues } : { value: program.evaluate(bindings).value };
  }
  const compiled = compileExpression(wire.expr, environment, { skipLiteralChecks: true });
  if (!compiled.program) return { error: compiled.issues ?? compiled.failure ?? '' };
  const type = compiled.outputType;
  return wire.checkOnly ? { type } : { type, value: compiled.program.evaluate(bindings).value };
}

function isSame(a: Value, b: Value): boolean {
  const bothNaN = isTagged(a, 'double') && isTagged(b, 'double') && Number.isNaN(a.value) && Number.isNaN(b.value);
  return bothNaN || (equal(a, b) === true && valueType(a).name === valueType(b).name);
}

/** Returns a problem, or undefined. Throws NeedsMessages. */
function problem(wire: Wire): string | undefined {
  if (messages.test(wire.expr)) throw new NeedsMessages(wire.expr);
  const expected = wire.value ?? wire.typedResult?.result;
  const want = expected ? valueFrom(expected) : true;
  const wantType = wire.typedResult?.deducedType ? typeFrom(wire.typedResult.deducedType) : undefined;
  const { value, type, error } = run(wire);
  const failed = error ?? (value !== undefined && isError(value) ? value.message : undefined);
  if (wire.evalError) return failed === undefined ? `${wire.expr} gave ${formatValue(value ?? null)}, not an error` : undefined;
  if (failed !== undefined) return `${wire.expr} failed: ${failed}`;
  if (wantType && type && formatType(wantType) !== formatType(type)) {
    return `${wire.expr} is ${formatType(type)}, not ${formatType(wantType)}`;
  }
  if (wire.checkOnly || isSame(value as Value, want)) return undefined;
  return `${wire.expr} gave ${formatValue(value as Value)}, not ${formatValue(want)}`;
}

describe('the conformance cases of the language', () => {
  let passed = 0;
  let skipped = 0;

  for (const suite of conformance.suites ?? []) {
    test(suite.name, () => {
      const wrong: string[] = [];
      for (const { name, case: wire } of cases(suite, `/${suite.name}`)) {
        try {
          const found = problem(wire);
          if ((found === undefined) === name in exceptions) wrong.push(found ?? `${name} is no exception any more`);
          passed++;
        } catch (error) {
          if (!(error instanceof NeedsMessages)) throw error;
          skipped++;
        }
      }
      expect(wrong).toEqual([]);
    });
  }

  test('are complete, except for those that need protobuf messages', () => {
    expect({ passed, skipped }).toEqual({ passed: 1645, skipped: 699 });
  });
});

describe('the parsing cases of cel-go', () => {
  const environment = createEnvironment({ libraries: conformanceLibraries });
  // Cases made with lower limits, and without optional syntax and quoted fields.
  const otherOptions = /\?|`|^\[{20}|^y!=|^1 \+ 2 \+|^a\.b\.c\.d\.e|^a\[1\]\[2\]|^a < 1 < 2/;
  const all = (suite: SerializedIncrementalTestSuite): { expr: string; parses: boolean }[] => [
    ...(suite.tests ?? [])
      .map(({ original, ast }) => ({ expr: original.expr, parses: ast !== undefined }))
      .filter(({ expr, parses }) => parses || !otherOptions.test(expr)),
    ...(suite.suites ?? []).flatMap(all),
  ];

  test.each(all(parsing))('$expr', ({ expr, parses }) => {
    const { ast, issues } = environment.parse(expr);
    expect([issues.toString(), ast !== undefined]).toEqual([parses ? '' : expect.anything(), parses]);
  });
});
