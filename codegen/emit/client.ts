import {
  type ClassDeclarationStructure,
  type ImportDeclarationStructure,
  type MethodDeclarationStructure,
  type OptionalKind,
  Project,
  type StatementStructures,
  StructureKind,
  VariableDeclarationKind,
} from 'ts-morph';
import type { ApiModel, GroupVersionModel, ResourceModel, SubresourceModel, TypeId } from '../model/model.ts';
import { camelCase, folderAlias, groupProperty, pascalCase } from '../model/names.ts';
import { typeById } from '../model/type-graph.ts';
import { siblingPath } from '../print/imports.ts';
import { text } from '../print/literal.ts';
import { type definitionFiles, runtimeModule } from '../print/symbols.ts';
import type { EmitContext } from './context.ts';

type Method = OptionalKind<MethodDeclarationStructure>;

const project = new Project({ useInMemoryFileSystem: true });

/** Name of the class that holds a group-version's resources: `CoreV1`, `RbacAuthorizationK8sIoV1` only where `RbacV1` is taken. */
export function clientName(groupVersion: GroupVersionModel, model: ApiModel): string {
  return `${pascalCase(groupProperty(groupVersion.group, model))}${pascalCase(groupVersion.version)}Client`;
}

/** The typed client of one group-version: a class a resource, with just the verbs it has. */
export function emitClient(groupVersion: GroupVersionModel, model: ApiModel, context: EmitContext): string {
  const writer = new ClientWriter(groupVersion, model);
  const classes = groupVersion.resources.flatMap((resource) => writer.resource(resource));
  const statements: StatementStructures[] = [...classes, writer.group()];
  return print(context.header, [...writer.imports(context.runtime), ...statements]);
}

/** The entry: `createClient(options).core.v1.pods`. */
export function emitClientEntry(model: ApiModel, context: EmitContext): string {
  const served = model.groupVersions.filter((groupVersion) => groupVersion.served);
  const groups = [...new Set(served.map((groupVersion) => groupVersion.group))];
  const imports: StatementStructures[] = [
    fromRuntime(context.runtime, 'client/options.ts', ['type ClientOptions']),
    fromRuntime(context.runtime, 'client/rest-client.ts', ['RestClient']),
    ...served.map(
      (groupVersion): StatementStructures => ({
        kind: StructureKind.ImportDeclaration,
        moduleSpecifier: `./${groupVersion.folder}/client.ts`,
        namedImports: [clientName(groupVersion, model)],
      }),
    ),
  ];
  const groupName = (group: string): string => `${pascalCase(groupProperty(group, model))}Group`;
  const groupClasses = groups.map(
    (group): ClassDeclarationStructure => ({
      ...restHolder(groupName(group), [`The versions of ${group === '' ? 'the core group' : group}.`]),
      getAccessors: served
        .filter((groupVersion) => groupVersion.group === group)
        .map((groupVersion) => getter(camelCase(groupVersion.version), clientName(groupVersion, model))),
    }),
  );
  const client: ClassDeclarationStructure = {
    ...restHolder('Client', [`Every group of ${model.release}. Clients of groups are made when first asked for.`]),
    isExported: true,
    getAccessors: groups.map((group) => getter(groupProperty(group, model), groupName(group))),
    methods: [
      {
        name: 'close',
        returnType: 'void',
        docs: ['Ends its connections.'],
        statements: ['this.#rest.close();'],
      },
    ],
  };
  return print(context.header, [
    ...imports,
    ...groupClasses,
    client,
    {
      kind: StructureKind.Function,
      name: 'createClient',
      isExported: true,
      docs: ['A client of the server that `options` name; nothing is sent yet.'],
      parameters: [{ name: 'options', type: 'ClientOptions' }],
      returnType: 'Client',
      statements: ['return new Client(new RestClient(options));'],
    },
  ]);
}

class ClientWriter {
  readonly #groupVersion: GroupVersionModel;
  readonly #model: ApiModel;
  readonly #folders = new Map<string, string>();
  readonly #options = new Set<string>();
  #ownTypes = false;

  constructor(groupVersion: GroupVersionModel, model: ApiModel) {
    this.#groupVersion = groupVersion;
    this.#model = model;
  }

  resource(resource: ResourceModel): StatementStructures[] {
    const location: StatementStructures = {
      kind: StructureKind.VariableStatement,
      leadingTrivia: '\n',
      declarationKind: VariableDeclarationKind.Const,
      declarations: [
        { name: locationName(resource), type: 'ResourceLocation', initializer: text(locationOf(resource)) },
      ],
    };
    const name = className(resource);
    const where = `${resource.plural} of ${this.#apiVersion()}`;
    if (!resource.namespaced) {
      const methods = this.#methods(resource, () => true);
      return [location, this.#class(name, `The ${where}.`, locationName(resource), methods, [])];
    }
    const scoped = `Namespaced${name}`;
    const across = this.#methods(resource, (verb) => verb === 'list' || verb === 'watch');
    const choose: Method = {
      name: 'namespace',
      docs: ['The same in one namespace.'],
      parameters: [{ name: 'namespace', type: 'string' }],
      returnType: scoped,
      statements: [`return new ${scoped}(this.#rest, namespace);`],
    };
    return [
      location,
      this.#class(
        scoped,
        `The ${where} in one namespace.`,
        locationName(resource),
        this.#methods(resource, () => true),
        ['namespace'],
      ),
      {
        ...restHolder(name, [`The ${where} in all namespaces.`]),
        isExported: true,
        methods: [
          choose,
          ...across.map((method) => ({
            ...method,
            statements: (method.statements as string[]).map((line) =>
              line.replace('this.#endpoint', `new ResourceEndpoint(this.#rest, ${locationName(resource)})`),
            ),
          })),
        ],
      },
    ];
  }

  group(): ClassDeclarationStructure {
    return {
      ...restHolder(clientName(this.#groupVersion, this.#model), [`The resources of ${this.#apiVersion()}.`]),
      isExported: true,
      getAccessors: this.#groupVersion.resources.map((resource) =>
        getter(camelCase(resource.plural), className(resource)),
      ),
    };
  }

  #class(
    name: string,
    doc: string,
    location: string,
    methods: Method[],
    scope: readonly string[],
  ): ClassDeclarationStructure {
    return {
      kind: StructureKind.Class,
      name,
      isExported: true,
      docs: [doc],
      properties: [{ name: '#endpoint', isReadonly: true, type: 'ResourceEndpoint' }],
      ctors: [
        {
          parameters: [
            { name: 'rest', type: 'RestClient' },
            ...scope.map((argument) => ({ name: argument, type: 'string' })),
          ],
          statements: [`this.#endpoint = new ResourceEndpoint(${['rest', location, ...scope].join(', ')});`],
        },
      ],
      methods,
    };
  }

  #methods(resource: ResourceModel, wanted: (verb: string) => boolean): Method[] {
    const type = this.#type(resource.type);
    const list = this.#listType(resource);
    const has = (verb: string): boolean => resource.verbs.some((own) => own === verb) && wanted(verb);
    const methods: Method[] = [];
    if (has('get'))
      methods.push(this.#method('get', ['name: string', 'options?: GetOptions'], type, 'get(name, options)'));
    if (has('list')) methods.push(this.#method('list', ['options?: ListOptions'], list, 'list(options)'));
    if (has('watch'))
      methods.push({
        ...this.#method('watch', ['options?: WatchOptions'], type, 'watch(options)'),
        returnType: `AsyncIterable<${this.#option('WatchEvent')}<${type}>>`,
      });
    if (has('create'))
      methods.push(
        this.#method('create', [`object: ${type}`, 'options?: WriteOptions'], type, 'create(object, options)'),
      );
    if (has('update'))
      methods.push(
        this.#method('update', [`object: ${type}`, 'options?: WriteOptions'], type, 'update(object, options)'),
      );
    if (has('patch'))
      methods.push(
        this.#method(
          'patch',
          ['name: string', 'patch: object', 'options?: PatchOptions'],
          type,
          'patch(name, patch, options)',
        ),
        this.#method('apply', [`object: ${type}`, 'options: ApplyOptions'], type, 'apply(object, options)'),
      );
    if (has('delete'))
      methods.push({
        ...this.#method('delete', ['name: string', 'options?: DeleteOptions'], type, 'delete(name, options)'),
        returnType: `Promise<${type} | ${this.#option('Status')}>`,
      });
    if (has('deletecollection'))
      methods.push({
        ...this.#method('deleteCollection', ['options?: DeleteCollectionOptions'], list, 'deleteCollection(options)'),
        returnType: `Promise<${list} | ${this.#option('Status')}>`,
      });
    for (const subresource of resource.subresources)
      if (wanted(subresource.name)) methods.push(...this.#subresource(subresource, type));
    return methods;
  }

  #subresource(subresource: SubresourceModel, ownType: string): Method[] {
    if (subresource.connect) return [];
    const { name } = subresource;
    const suffix = pascalCase(name);
    const type = subresource.type === undefined ? ownType : this.#type(subresource.type);
    const has = (verb: string): boolean => subresource.verbs.some((own) => own === verb);
    if (name === 'log') return has('get') ? [this.#log(name)] : [];
    const where = text(name);
    const methods: Method[] = [];
    if (has('get'))
      methods.push(
        this.#method(`get${suffix}`, ['name: string', 'options?: GetOptions'], type, `get(name, options, ${where})`),
      );
    if (has('create')) {
      const parameters = ['name: string', `object: ${type}`, 'options?: WriteOptions'];
      methods.push(this.#method(`create${suffix}`, parameters, type, `createBelow(name, ${where}, object, options)`));
    }
    if (has('update')) {
      const parameters = [`object: ${type}`, 'options?: WriteOptions'];
      methods.push(this.#method(`update${suffix}`, parameters, type, `update(object, options, ${where})`));
    }
    if (has('patch')) {
      const parameters = ['name: string', 'patch: object', 'options?: PatchOptions'];
      methods.push(this.#method(`patch${suffix}`, parameters, type, `patch(name, patch, options, ${where})`));
    }
    return methods;
  }

  #log(name: string): Method {
    return {
      ...this.#method(name, ['name: string', 'options?: LogOptions'], 'string', `text(name, ${text(name)}, options)`),
      statements: [`return this.#endpoint.text(name, ${text(name)}, options);`],
    };
  }

  #method(name: string, parameters: readonly string[], result: string, call: string): Method {
    const [verb] = call.split('(');
    return {
      name,
      parameters: parameters.map((parameter) => {
        const [argument, type] = parameter.split(': ');
        if (argument.replace('?', '') === 'options') this.#option(type);
        return { name: argument.replace('?', ''), hasQuestionToken: argument.endsWith('?'), type };
      }),
      returnType: `Promise<${result}>`,
      statements: [`return this.#endpoint.${verb}<${result}>${call.slice(verb.length)};`],
    };
  }

  #option(name: string): string {
    this.#options.add(name);
    return name;
  }

  #type(id: TypeId): string {
    const type = typeById(this.#model, id);
    if (type.folder === this.#groupVersion.folder) {
      this.#ownTypes = true;
      return `types.${type.name}`;
    }
    const alias = folderAlias(type.folder, this.#model);
    this.#folders.set(alias, type.folder);
    return `${alias}.${type.name}`;
  }

  #listType(resource: ResourceModel): string {
    const list = this.#groupVersion.types.find((type) => type.name === resource.listKind);
    return list
      ? this.#type(list.id)
      : `{ metadata: { resourceVersion?: string }; items: ${this.#type(resource.type)}[] }`;
  }

  #apiVersion(): string {
    return apiVersionOf(this.#groupVersion);
  }

  imports(runtime: string): StatementStructures[] {
    const { folder } = this.#groupVersion;
    const options = [...this.#options]
      .filter((name) => name !== 'Status')
      .sort()
      .map((name) => `type ${name}` as OptionName);
    const all = (moduleSpecifier: string, namespaceImport: string): StatementStructures => ({
      kind: StructureKind.ImportDeclaration,
      isTypeOnly: true,
      moduleSpecifier,
      namespaceImport,
    });
    return [
      ...(options.length === 0 ? [] : [fromRuntime(runtime, 'client/options.ts', options)]),
      fromRuntime(runtime, 'client/resource-endpoint.ts', ['ResourceEndpoint', 'type ResourceLocation']),
      { ...fromRuntime(runtime, 'client/rest-client.ts', ['RestClient']), isTypeOnly: true },
      ...(this.#options.has('Status') ? [fromRuntime(runtime, 'machinery/errors/status.ts', ['type Status'])] : []),
      ...[...this.#folders].sort().map(([alias, other]) => all(siblingPath(folder, other, 'types.ts'), alias)),
      ...(this.#ownTypes ? [all('./types.ts', 'types')] : []),
    ];
  }
}

type OptionName = (typeof definitionFiles)['client/options.ts'][number];

/** The import of names of a file of `definitionFiles`. */
function fromRuntime<File extends keyof typeof definitionFiles>(
  runtime: string,
  file: File,
  names: readonly (typeof definitionFiles)[File][number][],
): ImportDeclarationStructure {
  const plain = names as readonly string[];
  const isTypeOnly = plain.every((name) => name.startsWith('type '));
  return {
    kind: StructureKind.ImportDeclaration,
    isTypeOnly,
    moduleSpecifier: runtimeModule(runtime, file),
    namedImports: plain.map((name) => (isTypeOnly ? name.slice('type '.length) : name)),
  };
}

/** A class around one RestClient. */
function restHolder(name: string, docs: string[]): ClassDeclarationStructure {
  return {
    kind: StructureKind.Class,
    name,
    docs,
    properties: [{ name: '#rest', isReadonly: true, type: 'RestClient' }],
    ctors: [{ parameters: [{ name: 'rest', type: 'RestClient' }], statements: ['this.#rest = rest;'] }],
  };
}

function getter(name: string, type: string): { name: string; returnType: string; statements: string[] } {
  return { name, returnType: type, statements: [`return new ${type}(this.#rest);`] };
}

/** The whole file at once: every later manipulation would parse it again. */
function print(header: string, statements: StatementStructures[]): string {
  const file = project.createSourceFile('client.ts', { statements }, { overwrite: true });
  return `${header}${file.getFullText()}`;
}

const className = (resource: ResourceModel): string => `${pascalCase(resource.kind)}Client`;
const locationName = (resource: ResourceModel): string => `${camelCase(resource.plural)}Location`;

function apiVersionOf({ group, version }: { group: string; version: string }): string {
  return group === '' ? version : `${group}/${version}`;
}

function locationOf(resource: ResourceModel): object {
  const apiVersion = apiVersionOf(resource);
  const root = resource.group === '' ? `/api/${resource.version}` : `/apis/${apiVersion}`;
  return { root, resource: resource.plural, apiVersion, kind: resource.kind };
}
