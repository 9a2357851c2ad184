import { describe, expect, test } from '@jest/globals';
import { type GoFile, type GoType, parseGoFile } from '../../../../../codegen/import/go/declarations.ts';

const parse = (body: string): GoFile => parseGoFile(`package v1\n${body}\n`, 'types.go');

describe('types are read as they are written', () => {
  const field = { embedded: false, tag: '', comment: [] };
  test.each<[string, string, readonly Partial<GoType>[]]>([
    ['an alias', 'type Phase string', [{ name: 'Phase', type: 'string' }]],
    ['another name of a type', 'type Phase = other.Phase', [{ name: 'Phase', type: 'other.Phase' }]],
    ['lists and maps', 'type Extra map[string] []byte', [{ name: 'Extra', type: 'map[string][]byte' }]],
    ['an array', 'type Four [4]int32', [{ name: 'Four', type: '[4]int32' }]],
    ['an array as long as a constant', 'type Four [size]int32', [{ name: 'Four', type: '[size]int32' }]],
    ['an interface', 'type Object interface {\n Get() string\n}', [{ name: 'Object', type: 'interface{Get()string;}' }]],
    ['a function', 'type Apply func(a, b string) (c error)', [{ name: 'Apply', type: 'func(a,b string)(c error)' }]],
    ['a generic type is passed over', 'type List[T any] struct { Items []T }\ntype A int', [{ name: 'A' }]],
    ['an empty struct', 'type Nothing struct{}', [{ name: 'Nothing', fields: [] }]],
    ['a group', 'type (\n A string\n B int\n)', [{ name: 'A' }, { name: 'B' }]],
    [
      'fields that share a type',
      'type A struct { B, C *int64 }',
      [
        {
          fields: [
            { ...field, name: 'B', type: '*int64' },
            { ...field, name: 'C', type: '*int64' },
          ],
        },
      ],
    ],
    [
      'embedded fields',
      'type A struct {\n metav1.TypeMeta `json:",inline"`\n *Other\n Plain\n}',
      [
        {
          fields: [
            { ...field, embedded: true, name: 'metav1.TypeMeta', type: 'metav1.TypeMeta', tag: 'json:",inline"' },
            { ...field, embedded: true, name: 'Other', type: '*Other' },
            { ...field, embedded: true, name: 'Plain', type: 'Plain' },
          ],
        },
      ],
    ],
    [
      'a struct inside of a field, and a tag in quotes',
      'type A struct { B struct { C string } "json:\\"b\\"" }',
      [{ fields: [{ ...field, name: 'B', type: 'struct{C string}', tag: 'json:"b"' }] }],
    ],
    [
      'comments above a declaration count, others do not',
      '// +far\n\n// first\n// +enum\ntype A struct { // +behind\n  /* +one\n  +two */\n  B int // +behind\n  C int\n}',
      [
        {
          comment: [' first', ' +enum'],
          fields: [
            { ...field, name: 'B', type: 'int', comment: [' +one', '  +two '] },
            { ...field, name: 'C', type: 'int' },
          ],
        },
      ],
    ],
  ])('%s', (_, body, want) => {
    const { types } = parse(body);
    expect(types).toHaveLength(want.length);
    expect(types).toEqual(want.map((type) => expect.objectContaining(type)));
  });
});

test('functions and variables are passed over, whatever is in them', () => {
  const { types } = parse(`
var a, b = map[string]struct{ c int }{"}": {1}}, '}'
var (
	c = 1
)
func (in *A) String() string {
	type B struct { D int }
	if x := \`}\`; len(x) > 0x1F { return "\\"{" /* } */ }
	return fmt.Sprintf("%v", 1.5e+3) // }
}
type A struct{}`);
  expect(types.map(({ name }) => name)).toEqual(['A']);
});

test('imports are known by the names that the file uses', () => {
  const { imports } = parse(`
import "fmt"
import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"gopkg.in/yaml.v3"
	_ "embed"
)`);
  expect([...imports]).toEqual([
    ['fmt', 'fmt'],
    ['metav1', 'k8s.io/apimachinery/pkg/apis/meta/v1'],
    ['yaml', 'gopkg.in/yaml.v3'],
    ['_', 'embed'],
  ]);
});

test('constants have the parts of their values', () => {
  const { constants } = parse(`
const Single Phase = "a\\u0062\\n"
const (
	Zero Count = iota
	One
	Around = Phase("x")
	Elsewhere = Phase(other.Name)
	Sum Phase = Prefix + "/y"
	Two, Three = 2, 3
	Plain = \`raw\\n\`
)`);
  expect(constants).toEqual([
    { name: 'Single', type: 'Phase', value: [{ text: 'ab\n' }] },
    { name: 'Zero', type: 'Count', value: [{ constant: 'iota' }] },
    { name: 'Around', type: 'Phase', value: [{ text: 'x' }] },
    { name: 'Elsewhere', type: 'Phase', value: [{ constant: 'other.Name' }] },
    { name: 'Sum', type: 'Phase', value: [{ constant: 'Prefix' }, { text: '/y' }] },
    { name: 'Plain', type: '', value: [{ text: 'raw\\n' }] },
  ]);
});

describe('text that is not Go is refused with its place', () => {
  test.each([
    ['type A struct {\n  B int', 'types.go:3:8: the file ends too early'],
    ['type A struct {\n  B int]\n}', 'types.go:3:8: expected `;` instead of `]`'],
    ['type A struct {\n  B `json:"b"\n}', 'types.go:3:5: the string does not end'],
    ['/* A', 'types.go:2:1: the comment does not end'],
    ['type = string', 'types.go:2:6: expected a name instead of `=`'],
    ['type A', 'types.go:2:7: expected a type'],
    ['A string', 'types.go:2:1: expected a declaration'],
    ['import fmt', 'types.go:2:11: expected an import path'],
    ['func a() {\n  b[1)\n}', 'types.go:3:6: unexpected `)`'],
  ])('%j', (body, want) => {
    expect(() => parse(body)).toThrow(want);
  });

  test('and so is a file without a package', () => {
    expect(() => parseGoFile('', 'empty.go')).toThrow('empty.go:1:1: expected `package`');
    expect(() => parseGoFile('{}', 'data.go')).toThrow('data.go:1:1: expected `package` instead of `{`');
  });
});
