import type { ApiModel, ResourceModel } from '../model/model.ts';
import { camelCase, folderAlias } from '../model/names.ts';
import { typeById } from '../model/type-graph.ts';
import { objectKey, text } from '../print/literal.ts';
import { importDefinitions } from '../print/symbols.ts';
import type { EmitContext } from './context.ts';

/**
 * The entry of a package of groups: one function that plugs them into a server, with a typed place for the strategy of
 * each stored resource.
 */
export function emitGroupEntry(model: ApiModel, context: EmitContext): string {
  const resources = model.groupVersions.flatMap((groupVersion) =>
    groupVersion.served
      ? groupVersion.resources.filter(({ stored, version, storageVersion }) => stored && version === storageVersion)
      : [],
  );
  const folders = [...new Set(resources.map(({ type }) => typeById(model, type).folder))].sort();
  const name = camelCase(model.release);
  const named = resources.map((resource) => ({ resource, property: propertyOf(resource, resources) }));
  return [
    context.header,
    importDefinitions(context.runtime, 'machinery/api-group.ts', ['type ApiGroup', 'type ResourceStrategy']),
    "import { catalog } from './catalog.ts';\n",
    ...folders.map((folder) => `import type * as ${folderAlias(folder, model)} from './${folder}/types.ts';\n`),
    "\nexport { catalog } from './catalog.ts';\nexport { createClient } from './client.ts';\n",
    '\n/** What is different about writing a resource, beyond what its schema says. */\nexport interface Strategies {\n',
    ...named.map(({ resource, property }) => {
      const type = typeById(model, resource.type);
      return `  readonly ${objectKey(property)}?: ResourceStrategy<${folderAlias(type.folder, model)}.${type.name}>;\n`;
    }),
    `}\n\n/** The groups of ${model.release}, for \`startServer({ groups: [${name}()] })\`. */\n`,
    `export function ${name}(strategies: Strategies = {}): ApiGroup {\n  return {\n    catalog,\n    strategies: {\n`,
    ...named.map(({ resource: { plural, group }, property }) => {
      const access = objectKey(property) === property ? `.${property}` : `[${text(property)}]`;
      return `      ...(strategies${access} && { ${objectKey(group === '' ? plural : `${plural}.${group}`)}: strategies${access} }),\n`;
    }),
    '    },\n',
    // strategies are functions, which no other thread can have
    '    ...(Object.keys(strategies).length === 0 && { module: import.meta.url }),\n  };\n}\n\n',
    `export default ${name}();\n`,
  ].join('');
}

/** The plural; with its group where two groups have it. */
function propertyOf({ plural, group }: ResourceModel, all: readonly ResourceModel[]): string {
  const isShared = all.some((other) => other.plural === plural && other.group !== group);
  return isShared && group !== '' ? `${plural}.${group}` : plural;
}
