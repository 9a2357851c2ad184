import { banner, type Field, type Model, type ObjectType, type Type } from './model.ts';

/** Returns controls.py: a TypedDict for each type, in an order in which each has its parts before it. */
export function pythonTypes({ types, kinds }: Model): string {
  const specs = types.filter(({ name }) => !kinds.some((kind) => kind.name === name));
  const resources = kinds.map(({ name, resource }) => `    "${name}": "${resource}",\n`);
  return `# ${banner}
from __future__ import annotations

from typing import Any, Literal, TypedDict

from typing_extensions import NotRequired

#: The resource of each kind.
RESOURCES = {
${resources.join('')}}


${sorted(specs).map(declaration).join('\n\n')}`;
}

function sorted(types: readonly ObjectType[]): ObjectType[] {
  const done = new Set<ObjectType>();
  const add = (type: ObjectType): void => {
    for (const { type: part } of type.fields) {
      const name = part.is === 'list' && part.of.is === 'named' ? part.of.name : part.is === 'named' ? part.name : undefined;
      const found = types.find((each) => each.name === name);
      if (found !== undefined) add(found);
    }
    done.add(type);
  };
  for (const type of types) add(type);
  return [...done];
}

function declaration({ name, description, fields }: ObjectType): string {
  const doc = description === '' ? [] : [`    """${description}"""`, ...(fields.length === 0 ? [] : [''])];
  const lines = fields.flatMap((field) => [
    ...(field.description === '' ? [] : [`    #: ${field.description}`]),
    `    ${field.name}: ${annotation(field)}`,
  ]);
  return `class ${name}(TypedDict):\n${[...doc, ...lines].join('\n') || '    pass'}\n`;
}

const annotation = ({ type, required }: Field): string => (required ? nameOf(type) : `NotRequired[${nameOf(type)}]`);

function nameOf(type: Type): string {
  switch (type.is) {
    case 'text':
    case 'time':
      return 'str';
    case 'choice':
      return `Literal[${type.values.map((value) => `"${value}"`).join(', ')}]`;
    case 'boolean':
      return 'bool';
    case 'int32':
    case 'int64':
      return 'int';
    case 'object':
    case 'metadata':
    case 'condition':
      return 'dict[str, Any]';
    case 'list':
      return `list[${nameOf(type.of)}]`;
    case 'named':
      return type.name;
  }
}
