import type { ApiModel } from '../model/model.ts';
import { camelCase, groupProperty } from '../model/names.ts';
import { type FileContext, GeneratedFile } from '../print/generated-file.ts';
import { clientName } from './client.ts';

/** The entry of the clients: `createClient(options).core.v1.pods`. */
export function emitClientset(model: ApiModel, context: FileContext): string {
  const file = new GeneratedFile(model, '.', context);
  const served = model.groupVersions.filter((groupVersion) => groupVersion.served);
  const groups = [...new Set(served.map(({ group }) => group))];
  const versions = (group: string): string =>
    served
      .filter((groupVersion) => groupVersion.group === group)
      .map((groupVersion) => {
        const client = file.local(`./${groupVersion.folder}/client.ts`, clientName(groupVersion, model));
        return `${camelCase(groupVersion.version)}: new ${client}(this.restClient)`;
      })
      .join(', ');
  file.addClass({
    name: 'Client',
    docs: [`The clients of ${model.release}, by group and version.`],
    extends: file.runtime('client/clientset.ts', 'Clientset'),
    properties: groups.map((group) => ({
      name: groupProperty(group, model),
      isReadonly: true,
      initializer: `{ ${versions(group)} }`,
    })),
  });
  file.addFunction({
    name: 'createClient',
    docs: ['A client of the server that `options` name. Sends nothing yet.'],
    parameters: [{ name: 'options', type: file.runtime('client/options.ts', 'type ClientOptions') }],
    returnType: 'Client',
    statements: ['return new Client(options);'],
  });
  return file.print();
}
