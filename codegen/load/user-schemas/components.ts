import type { Schema } from '../openapi.ts';
import { refOf } from '../openapi.ts';
import type { ProblemList } from '../schema-errors.ts';
import type { Component } from '../schemas-folder.ts';
import { checkKeywords } from './check.ts';
import { Composer } from './composition.ts';
import { inKubernetesDialect } from './dialect.ts';
import { isKubernetes } from './kubernetes.ts';
import { StructuralSchemas } from './structural.ts';

/** Reports parts of custom groups' schemas that Kubernetes cannot honour. Returns false if there are any. */
export function checkOwnComponents(components: ReadonlyMap<string, Component>, problems: ProblemList): boolean {
  const own = [...components.values()].filter(({ id }) => !isKubernetes(id));
  return own
    .map(({ id, schema, file }) => checkKeywords(schema, file, ['components', 'schemas', id], problems))
    .every((isHonoured) => isHonoured);
}

/**
 * Returns the components, with those of custom groups in the form from which types are built. They must be checked
 * first.
 */
export function composeOwnComponents(components: ReadonlyMap<string, Component>, problems: ProblemList): ReadonlyMap<string, Component> {
  const translated = new Map(
    [...components].map(([id, component]): [string, Component] =>
      isKubernetes(id) ? [id, component] : [id, { ...component, schema: inKubernetesDialect(component.schema) }],
    ),
  );
  const schemaOf = (id: string): Schema | undefined => translated.get(id)?.schema;
  const isStruct = (id: string): boolean => isKubernetes(id) || hasProperties(schemaOf(id), schemaOf, new Set());
  return new Map(
    [...translated].map(([id, component]) => {
      if (isKubernetes(id)) return [id, component];
      const composer = new Composer({ get: schemaOf, isStruct }, component.file, problems);
      return [id, { ...component, schema: composer.component(id, component.schema) }];
    }),
  );
}

function hasProperties(schema: Schema | undefined, lookup: (id: string) => Schema | undefined, seen: Set<string>): boolean {
  if (schema === undefined) return false;
  if (schema.properties !== undefined) return true;
  const id = refOf(schema);
  if (id !== undefined) {
    if (seen.has(id)) return false;
    return isKubernetes(id) || hasProperties(lookup(id), lookup, seen.add(id));
  }
  return (schema.allOf ?? []).some((part) => hasProperties(part, lookup, seen));
}

/** Returns the schemas of kinds in the form of CustomResourceDefinitions. */
export const structuralSchemas = (components: ReadonlyMap<string, Component>, problems: ProblemList): StructuralSchemas =>
  new StructuralSchemas((id) => components.get(id)?.schema, problems);
