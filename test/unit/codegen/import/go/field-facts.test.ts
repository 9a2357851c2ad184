import { expect, test } from '@jest/globals';
import { parseGoFile } from '../../../../../codegen/import/go/declarations.ts';
import { fieldFactsOf } from '../../../../../codegen/import/go/field-facts.ts';
import type { FieldFacts } from '../../../../../codegen/load/field-facts.ts';

function factsOf(packages: Record<string, string>): FieldFacts {
  const files = Object.entries(packages).map(([path, text]) => [path, [parseGoFile(`package v1\n${text}`, `${path}/types.go`)]] as const);
  return fieldFactsOf(new Map(files));
}

test('a struct has the fields with tags for JSON, in order, with what their tags and comments say', () => {
  const facts = factsOf({
    'example.com/zoo/v1': `
// Animal is prose.
// +structType=atomic
type Animal struct {
	TypeMeta \`json:",inline"\`
	// +optional
	Names []string \`json:"names,omitempty" protobuf:"bytes,2,rep,name=names" patchStrategy:"merge" patchMergeKey:"a"\`
	// +---+---+
	Legs *int32 \`json:"legs,omitzero" protobuf:"varint,3,opt,name=legs"\`
	Hidden func() \`json:"-"\`
	internal string
}
type keeper struct { Name string \`json:"name"\` }
type Keepers interface { All() []keeper }
type Option func(*Animal)`,
  });
  expect(facts).toEqual({
    'example.com/zoo/v1': {
      Animal: {
        kind: 'struct',
        markers: ['+structType=atomic'],
        fields: [
          { json: '', go: 'TypeMeta', type: 'TypeMeta', inline: true },
          {
            json: 'names',
            go: 'Names',
            type: '[]string',
            omitEmpty: true,
            proto: 2,
            wire: 'bytes',
            patchStrategy: 'merge',
            patchMergeKey: 'a',
            markers: ['+optional'],
          },
          { json: 'legs', go: 'Legs', type: 'int32', pointer: true, omitZero: true, proto: 3, wire: 'varint' },
          { json: '-', go: 'Hidden', type: 'func()' },
        ],
      },
    },
  });
});

test('a type has its constants as values, wherever these get theirs from', () => {
  const facts = factsOf({
    'k8s.io/api/core/v1': 'type IPFamily string\nconst IPv4Protocol IPFamily = "IPv4"\nconst prefix = "x."',
    'k8s.io/api/discovery/v1': `
import v1 "k8s.io/api/core/v1"
// +enum
type AddressType string
const (
	AddressTypeIPv4 = AddressType(v1.IPv4Protocol)
	AddressTypeFQDN = AddressType("FQDN")
)
type Open string
const (
	Known Open = "a" + "b"
	Unknown Open = elsewhere.Name
)
type Loop string
const (
	One Loop = Two
	Two Loop = One
)`,
  });
  expect(facts['k8s.io/api/discovery/v1']).toEqual({
    AddressType: { kind: 'alias', of: 'string', markers: ['+enum'], values: ['IPv4', 'FQDN'] },
    Open: { kind: 'alias', of: 'string' },
    Loop: { kind: 'alias', of: 'string' },
  });
});

test('a default that is a constant is its value', () => {
  const facts = factsOf({
    'example.com/base/v1': 'const Far = "far"',
    'example.com/zoo/v1': `
const Near Place = "near"
type A struct {
	// +default=ref(Near)
	B string \`json:"b"\`
	// +default=ref(example.com/base/v1.Far)
	C string \`json:"c"\`
	// +default=ref(Nowhere)
	D string \`json:"d"\`
}`,
  });
  const { A } = facts['example.com/zoo/v1'];
  expect(A.kind === 'struct' && A.fields.map(({ markers }) => markers)).toEqual([
    ['+default="near"'],
    ['+default="far"'],
    ['+default=ref(Nowhere)'],
  ]);
});

test('a type of another package is written with its import path unless its name says which package it is', () => {
  const types = 'type Time struct { A int `json:"a"` }';
  const facts = factsOf({
    'k8s.io/apimachinery/pkg/apis/meta/v1': types,
    'example.com/meta/v1': types,
    'example.com/zoo/v1': `
import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	own "example.com/meta/v1"
	"example.com/nowhere"
)
type A struct {
	B []metav1.Time \`json:"b"\`
	C map[string]own.Time \`json:"c"\`
	D *nowhere.Time \`json:"d"\`
}
type Other = own.Time`,
    'example.com/farm/v1': 'import metav1 "example.com/meta/v1"\ntype A struct { B metav1.Time `json:"b"` }',
  });
  const typesOf = (goPackage: string): (readonly [string, string])[] => {
    const animal = facts[goPackage].A;
    return animal.kind === 'struct' ? animal.fields.map(({ json, type }) => [json, type] as const) : [];
  };
  expect(typesOf('example.com/zoo/v1')).toEqual([
    ['b', '[]metav1.Time'],
    ['c', 'map[string]example.com/meta/v1.Time'],
    ['d', 'nowhere.Time'],
  ]);
  expect(facts['example.com/zoo/v1'].Other).toEqual({ kind: 'alias', of: 'example.com/meta/v1.Time' });
  expect(typesOf('example.com/farm/v1')).toEqual([['b', 'example.com/meta/v1.Time']]);
});
