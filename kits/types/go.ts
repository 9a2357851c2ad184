import { banner, type Field, isCommon, type Model, type ObjectType, type Type } from './model.ts';

/** Returns types.go. */
export function goTypes({ types, kinds }: Model): string {
  const resources = new Map(kinds.map(({ name, resource }) => [name, resource]));
  const parts = types.map((type) => declaration(type, resources.get(type.name)));
  return `// ${banner}

package kubeloom

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

${parts.join('\n')}`;
}

function declaration(type: ObjectType, resource: string | undefined): string {
  const { name, description, fields } = type;
  const own = resource === undefined ? fields : fields.filter((field) => !isCommon(field));
  const rows = own.map((field) => [goName(field.name), goType(field, name), tag(field)] as const);
  const lines = own.flatMap((field, index) => {
    const [goField, goFieldType, goTag] = rows[index] as readonly [string, string, string];
    const comment = field.description === '' ? [] : [`\t// ${field.description}`];
    const [nameWidth = 0, typeWidth = 0] = widths(rows, own, index);
    return [...comment, `\t${goField.padEnd(nameWidth)} ${goFieldType.padEnd(typeWidth)} ${goTag}`];
  });
  const embedded =
    resource === undefined ? [] : ['\tmetav1.TypeMeta   `json:",inline"`', '\tmetav1.ObjectMeta `json:"metadata,omitempty"`', ''];
  const doc = description === '' ? '' : `// ${description.replaceAll('\n', ' ')}\n`;
  const body = [...embedded, ...lines];
  const struct = body.length === 0 ? `type ${name} struct{}\n` : `type ${name} struct {\n${body.join('\n')}\n}\n`;
  const methods =
    resource === undefined ? '' : `\nfunc (*${name}) kindAndResource() (string, string) {\n\treturn "${name}", "${resource}"\n}\n`;
  return `${doc}${struct}${methods}`;
}

/** Returns the widths of names and types in the block of a field, which gofmt aligns: the fields around it without a comment between them. */
function widths(rows: readonly (readonly [string, string, string])[], fields: readonly Field[], index: number): number[] {
  let start = index;
  while (start > 0 && fields[start]?.description === '') start--;
  let end = index + 1;
  while (end < fields.length && fields[end]?.description === '') end++;
  return [0, 1].map((column) => Math.max(...rows.slice(start, end).map((row) => row[column as 0 | 1].length)));
}

const goName = (name: string): string => name[0]?.toUpperCase() + name.slice(1);

const tag = ({ name, required }: Field): string => `\`json:"${name}${required ? '' : ',omitempty'}"\``;

/** Returns the type of a field. A pointer tells nothing from an empty value, where a client sends it. */
function goType({ type, required }: Field, owner: string): string {
  const isPointer = ['named', 'object', 'time'].includes(type.is) || (type.is === 'boolean' && owner.endsWith('Spec'));
  const pointer = !required && isPointer ? '*' : '';
  return `${pointer}${nameOf(type)}`;
}

function nameOf(type: Type): string {
  switch (type.is) {
    case 'text':
    case 'choice':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'int32':
    case 'int64':
      return type.is;
    case 'time':
      return 'metav1.MicroTime';
    case 'object':
      return 'struct{}';
    case 'metadata':
      return 'metav1.ObjectMeta';
    case 'condition':
      return 'metav1.Condition';
    case 'list':
      return `[]${nameOf(type.of)}`;
    case 'named':
      return type.name;
  }
}
