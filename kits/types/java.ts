import { banner, type Field, type Model, type ObjectType, type Type } from './model.ts';

/** Returns Controls.java: a nested class for each type, with a method for each field that sets it and returns the object. */
export function javaTypes({ types, kinds }: Model): string {
  const specs = types.filter(({ name }) => !kinds.some((kind) => kind.name === name));
  const resources = kinds.map(({ name, resource }) => `      Map.entry("${name}", "${resource}")`);
  return `// ${banner}
package dev.kubeloom.junit;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;

/** The types of testing.kubeloom.dev/v1alpha1. */
public final class Controls {
  /** The resource of each kind. */
  static final Map<String, String> RESOURCES = Map.ofEntries(
${resources.join(',\n')});

  private Controls() {}
${specs.map(declaration).join('')}}
`;
}

function declaration({ name, description, fields }: ObjectType): string {
  const doc = description === '' ? '' : `  /** ${description} */\n`;
  const members = fields.flatMap((field) => [comment(field), `    public ${nameOf(field.type)} ${field.name};`]);
  const setters = fields.map(
    (field) => `
    public ${name} ${field.name}(${nameOf(field.type)} value) {
      this.${field.name} = value;
      return this;
    }`,
  );
  const body = [...members.filter((line) => line !== ''), ...setters].join('\n');
  return `
${doc}  @JsonInclude(JsonInclude.Include.NON_NULL)
  @JsonIgnoreProperties(ignoreUnknown = true)
  public static final class ${name} {${body === '' ? '' : `\n${body}\n  `}}
`;
}

const comment = ({ description }: Field): string => (description === '' ? '' : `    /** ${description.replaceAll('*/', '* /')} */`);

function nameOf(type: Type): string {
  switch (type.is) {
    case 'text':
    case 'choice':
    case 'time':
      return 'String';
    case 'boolean':
      return 'Boolean';
    case 'int32':
      return 'Integer';
    case 'int64':
      return 'Long';
    case 'object':
    case 'metadata':
    case 'condition':
      return 'Map<String, Object>';
    case 'list':
      return `List<${nameOf(type.of)}>`;
    case 'named':
      return type.name;
  }
}
