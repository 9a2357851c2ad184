import type { ClassDeclarationStructure, MethodDeclarationStructure, OptionalKind } from 'ts-morph';
import type { ApiModel, GroupVersionModel, ResourceModel, SubresourceModel, TypeId, VerbName } from '../model/model.ts';
import { apiVersionOf, camelCase, groupProperty, identifier, pascalCase } from '../model/names.ts';
import { typeById } from '../model/type-graph.ts';
import { type FileContext, GeneratedFile } from '../print/generated-file.ts';
import { literal } from '../print/literal.ts';
import type { RuntimeName } from '../print/symbols.ts';

type Method = OptionalKind<MethodDeclarationStructure>;
type Property = NonNullable<ClassDeclarationStructure['properties']>[number];

/** Returns the class name of a group-version's client: `CoreV1Client`. */
export function clientName(groupVersion: GroupVersionModel, model: ApiModel): string {
  const group = pascalCase(groupProperty(groupVersion.group, model));
  return identifier(`${group}${pascalCase(groupVersion.version)}Client`);
}

/**
 * The typed client of one group-version: a class with a field for each resource, typed by ResourceClient or StatusClient.
 * Resources with other subresources get a class of their own, with methods for these.
 */
export function emitClient(groupVersion: GroupVersionModel, model: ApiModel, context: FileContext): string {
  const file = new GeneratedFile(model, groupVersion.folder, context);
  const emitter = new ClientEmitter(groupVersion, model, file);
  const apiVersion = apiVersionOf(groupVersion);
  const properties = groupVersion.resources.map((resource) => emitter.resource(resource));
  file.addClass({
    name: clientName(groupVersion, model),
    docs: [`The resources of ${apiVersion}.`],
    extends: file.runtime('client/clientset.ts', 'GroupVersionClient'),
    properties,
    ctors: [
      {
        parameters: [{ name: 'rest', type: file.runtime('client/rest-client.ts', 'type RestClient') }],
        statements: [`super(rest, ${literal(apiVersion)});`],
      },
    ],
  });
  return file.print();
}

/** The members of GroupVersionClient. */
const groupVersionMembers = ['clusterScoped', 'constructor', 'namespaceScoped'];

const allVerbs: readonly VerbName[] = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'];

/** The methods of ResourceClient for a verb, unless it is one method with the verb's name. */
const verbMethods: Readonly<Partial<Record<VerbName, readonly string[]>>> = {
  deletecollection: ['deleteCollection'],
  patch: ['patch', 'apply'],
};

const importedClients = ['GroupVersionClient', 'ResourceClient', 'RestClient', 'StatusClient'];

class ClientEmitter {
  readonly #groupVersion: GroupVersionModel;
  readonly #model: ApiModel;
  readonly #file: GeneratedFile;

  constructor(groupVersion: GroupVersionModel, model: ApiModel, file: GeneratedFile) {
    this.#groupVersion = groupVersion;
    this.#model = model;
    this.#file = file;
  }

  /** Returns the field of a resource. Adds the class of its client if it needs one. */
  resource(resource: ResourceModel): Property {
    const client = this.#clientClass(resource);
    const place = `${literal(resource.plural)}, ${literal(resource.kind)}`;
    const type = this.#partialType(resource, client);
    return {
      name: identifier(camelCase(resource.plural), groupVersionMembers, 'Resource'),
      isReadonly: true,
      ...(type !== undefined && { type }),
      initializer: `this.${resource.namespaced ? 'namespaceScoped' : 'clusterScoped'}(${client}, ${place})`,
    };
  }

  /** Returns the type of a client that lacks verbs. Undefined, so that it is inferred, for clients with all verbs. */
  #partialType({ verbs, namespaced, subresources }: ResourceModel, client: string): string | undefined {
    if (allVerbs.every((verb) => verbs.includes(verb))) return undefined;
    const own = verbs.flatMap((verb) => verbMethods[verb] ?? [verb]);
    const methods = [...own, ...subresources.flatMap(methodNames)].map(literal).join(' | ') || 'never';
    return namespaced
      ? `${this.#file.runtime('client/clientset.ts', 'type NamespacedVerbs')}<${client}, ${methods}>`
      : `Pick<${client}, ${methods}>`;
  }

  /** Returns the class that serves a resource, with its type arguments, or the name of its own class. */
  #clientClass(resource: ResourceModel): string {
    const object = this.#type(resource.type);
    const list = this.#listType(resource);
    const status = resource.subresources.find(({ name }) => name === 'status');
    const hasStatus = status !== undefined && verbsOf(status).join() === 'get,update,patch';
    const base = this.#file.runtime('client/resource-client.ts', hasStatus ? 'StatusClient' : 'ResourceClient');
    const typed = `${base}<${list === undefined ? object : `${object}, ${list}`}>`;
    const others = resource.subresources.filter((each) => !(hasStatus && each === status));
    const methods = others.flatMap((each) => this.#methods(each, object));
    if (methods.length === 0) return typed;
    const name = this.#className(resource);
    const docs = [`The ${resource.plural} of ${apiVersionOf(this.#groupVersion)}, with their subresources.`];
    this.#file.addClass({ name, docs, extends: typed, methods });
    return name;
  }

  /** Returns `PodClient`, or a longer name if another class in the file has that one. */
  #className({ kind }: ResourceModel): string {
    const name = `${pascalCase(kind)}Client`;
    const isTaken = [clientName(this.#groupVersion, this.#model), ...importedClients].includes(name);
    return isTaken ? `${pascalCase(kind)}KindClient` : name;
  }

  #methods(subresource: SubresourceModel, ownType: string): Method[] {
    const { name } = subresource;
    const type = subresource.type === undefined ? ownType : this.#type(subresource.type);
    return verbsOf(subresource).map((verb): Method => {
      if (name === 'log') return this.#log();
      const parameters = verbParameters[verb](type);
      return {
        name: methodName(subresource, verb),
        parameters: [...parameters, `options?: ${this.#options(verbOptions[verb])}`].map(parameter),
        returnType: `Promise<${type}>`,
        statements: [`return this.${verb}Subresource(${[literal(name), ...parameters.map(nameOf), 'options'].join(', ')});`],
      };
    });
  }

  #log(): Method {
    return {
      name: 'log',
      parameters: ['name: string', `options?: ${this.#options('type LogOptions')}`].map(parameter),
      returnType: 'Promise<string>',
      statements: ["return this.getText('log', name, options);"],
    };
  }

  #options(name: OptionsName): string {
    return this.#file.runtime('client/options.ts', name);
  }

  #type(id: TypeId): string {
    return this.#file.type(typeById(this.#model, id));
  }

  #listType(resource: ResourceModel): string | undefined {
    const list = this.#groupVersion.types.find((type) => type.gvk?.kind === resource.listKind);
    return list && this.#type(list.id);
  }
}

type OptionsName = RuntimeName<'client/options.ts'>;

type SubresourceVerb = 'get' | 'create' | 'update' | 'patch';

const verbParameters: Readonly<Record<SubresourceVerb, (type: string) => readonly string[]>> = {
  get: () => ['name: string'],
  create: (type) => ['name: string', `object: ${type}`],
  update: (type) => [`object: ${type}`],
  patch: () => ['name: string', 'patch: object'],
};

const verbOptions: Readonly<Record<SubresourceVerb, OptionsName>> = {
  get: 'type GetOptions',
  create: 'type WriteOptions',
  update: 'type WriteOptions',
  patch: 'type PatchOptions',
};

/** Returns the verbs of a subresource that become methods. Logs can only be read. */
function verbsOf({ name, connect, verbs }: SubresourceModel): SubresourceVerb[] {
  const served: SubresourceVerb[] = name === 'log' ? ['get'] : ['get', 'create', 'update', 'patch'];
  return connect ? [] : served.filter((verb) => verbs.includes(verb));
}

const methodName = ({ name }: SubresourceModel, verb: SubresourceVerb): string => (name === 'log' ? 'log' : `${verb}${pascalCase(name)}`);

const methodNames = (subresource: SubresourceModel): string[] => verbsOf(subresource).map((verb) => methodName(subresource, verb));

const nameOf = (declaration: string): string => declaration.split(': ', 1).join();

/** Parses a parameter's declaration: `name: string` or `options?: GetOptions`. */
function parameter(declaration: string): { name: string; hasQuestionToken: boolean; type: string } {
  const [name = '', type = ''] = declaration.split(': ');
  return { name: name.replace('?', ''), hasQuestionToken: name.endsWith('?'), type };
}
