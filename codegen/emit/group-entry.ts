import type { ApiModel, ResourceModel } from '../model/model.ts';
import { camelCase, identifier } from '../model/names.ts';
import { typeById } from '../model/type-graph.ts';
import { member } from '../print/expressions.ts';
import { type FileContext, GeneratedFile } from '../print/generated-file.ts';
import { literal, objectKey } from '../print/literal.ts';
import { keywords } from '../print/names.ts';

/**
 * Emits the entry of a package of groups: a function that adds the groups to a server, with a typed property for the
 * strategy of each resource that is stored or can be created.
 */
export function emitGroupEntry(model: ApiModel, context: FileContext): string {
  const file = new GeneratedFile(model, '.', context);
  const resources = model.groupVersions.flatMap((groupVersion) => (groupVersion.served ? groupVersion.resources.filter(hasStrategy) : []));
  const strategy = file.runtime('machinery/api-group.ts', 'type ResourceStrategy');
  const catalog = file.local('./catalog.ts', 'catalog');
  const name = identifier(camelCase(model.release), reserved, 'Groups');
  file.addStatement("export { catalog } from './catalog.ts';\nexport { createClient } from './client.ts';");
  file.addInterface({
    name: 'Strategies',
    docs: ['What is different about writing a resource, beyond what its schema says.'],
    properties: resources.map((resource) => ({
      name: objectKey(propertyOf(resource, resources)),
      isReadonly: true,
      hasQuestionToken: true,
      type: `${strategy}<${file.type(typeById(model, resource.type))}>`,
    })),
  });
  const converted = resources.flatMap((resource) => {
    const versions = resourcesOf(model).filter((other) => isConverted(other) && isSame(other, resource));
    return versions.length === 0 ? [] : [{ resource, versions }];
  });
  if (converted.length > 0) {
    const converter = file.runtime('machinery/api-group.ts', 'type Converter');
    file.addInterface({
      name: 'Conversions',
      docs: [
        'How objects of each version that is not stored become objects of the stored version, and back. `checkConversions` of kubeloom tests them.',
      ],
      properties: converted.map(({ resource, versions }) => {
        const hub = file.type(typeById(model, resource.type));
        const members = versions.map(
          ({ version, type }) => `readonly ${version}: ${converter}<${file.type(typeById(model, type))}, ${hub}>`,
        );
        return {
          name: objectKey(propertyOf(resource, resources)),
          isReadonly: true,
          type: `{ ${members.join('; ')} }`,
        };
      }),
    });
  }
  const conversions = converted.map(
    ({ resource }) => `${objectKey(groupResource(resource))}: ${member('conversions', propertyOf(resource, resources))},\n`,
  );
  const strategies = resources.map((resource) => {
    const given = member('strategies', propertyOf(resource, resources));
    return `...(${given} && { ${objectKey(groupResource(resource))}: ${given} }),\n`;
  });
  const group = file.runtime('machinery/api-group.ts', 'type ApiGroup');
  const require = file.runtime('machinery/options/group-members.ts', 'requireResources');
  const check = (parameter: string, of: readonly ResourceModel[]): string =>
    `${require}('${parameter}', ${parameter}, ${literal(of.map((resource) => propertyOf(resource, resources)))});\n`;
  const checks = check('strategies', resources);
  if (converted.length === 0) {
    file.addFunction({
      name,
      docs: [`The groups of ${model.release}, for \`startServer({ groups: [${name}()] })\`.`],
      parameters: [{ name: 'strategies', type: 'Strategies', initializer: '{}' }],
      returnType: group,
      statements: [`${checks}return {\n${catalog},\nstrategies: {\n${strategies.join('')}},\n${moduleMember}};`],
    });
    file.addStatement(`export default ${name}();`);
    return file.print();
  }
  const convertedResources = converted.map(({ resource }) => resource);
  const entries = `strategies: {\n${strategies.join('')}},\nconversions: {\n${conversions.join('')}},\n`;
  file.addFunction({
    name,
    docs: [`The groups of ${model.release}, for \`startServer({ groups: [${name}(strategies, conversions)] })\`.`],
    parameters: [
      { name: 'strategies', type: 'Strategies' },
      { name: 'conversions', type: 'Conversions' },
    ],
    returnType: group,
    statements: [`${checks}${check('conversions', convertedResources)}return {\n${catalog},\n${entries}};`],
  });
  return file.print();
}

/**
 * The module from which other threads load the groups. Groups with strategies have none, because functions cannot be
 * sent to a thread.
 */
const moduleMember = '...(Object.keys(strategies).length === 0 && { module: import.meta.url }),\n';

/** Reserved words, and names that the entry declares. */
const reserved: readonly string[] = [...keywords, 'catalog', 'createClient', 'requireResources'];

const hasStrategy = ({ stored, verbs, version, storageVersion }: ResourceModel): boolean =>
  (stored || verbs.includes('create')) && version === storageVersion;

const resourcesOf = ({ groupVersions }: ApiModel): readonly ResourceModel[] =>
  groupVersions.flatMap(({ served, resources }) => (served ? resources : []));

const isConverted = ({ conversion }: ResourceModel): boolean => conversion.kind === 'converter';

const isSame = (one: ResourceModel, other: ResourceModel): boolean => one.group === other.group && one.plural === other.plural;

const groupResource = ({ plural, group }: ResourceModel): string => (group === '' ? plural : `${plural}.${group}`);

/** Returns the plural, followed by the group if two groups have it. */
function propertyOf({ plural, group }: ResourceModel, all: readonly ResourceModel[]): string {
  const isShared = all.some((other) => other.plural === plural && other.group !== group);
  return isShared && group !== '' ? `${plural}.${group}` : plural;
}
