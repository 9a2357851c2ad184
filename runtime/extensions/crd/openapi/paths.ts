import type {
  CustomResourceDefinition,
  CustomResourceDefinitionVersion as Version,
} from '../../../../generated/v1.35/apiextensions.k8s.io/v1/types.ts';
import { operationId, operationTag } from '../../../machinery/openapi-operation-id.ts';
import { ofOperation, ofParameter } from './descriptions.ts';
import type { OpenAPIDialect, OpenAPIObject, ParameterFacts } from './dialect.ts';
import { codesOf, type Model, optionsOf, type Route, routesOf } from './routes.ts';
import { modelName } from './schema.ts';
import { SharedParameters } from './shared-parameters.ts';

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const mediaTypes = ['application/json', 'application/yaml'];
const patchMediaTypes = ['application/json-patch+json', 'application/merge-patch+json', 'application/apply-patch+yaml'];

export interface Paths {
  readonly paths: ReadonlyMap<string, OpenAPIObject>;
  /** JSON by name. */
  readonly parameters: ReadonlyMap<string, string>;
}

/**
 * Returns the paths of one version, with their operations and shared parameters.
 * (pkg/controller/openapi/builder/builder.go)
 */
export function buildPaths(crd: CustomResourceDefinition, version: Version, dialect: OpenAPIDialect): Paths {
  return new PathsBuilder(crd, version, dialect).build();
}

class PathsBuilder {
  readonly #crd: CustomResourceDefinition;
  readonly #version: Version;
  readonly #dialect: OpenAPIDialect;
  readonly #namespaced: boolean;
  readonly #shared = new SharedParameters();

  constructor(crd: CustomResourceDefinition, version: Version, dialect: OpenAPIDialect) {
    this.#crd = crd;
    this.#version = version;
    this.#dialect = dialect;
    this.#namespaced = crd.spec.scope === 'Namespaced';
  }

  build(): Paths {
    const byPath = new Map<string, Route[]>();
    for (const route of routesOf(this.#namespaced, this.#version.subresources)) {
      const path = this.#path(route);
      byPath.set(path, [...(byPath.get(path) ?? []), route]);
    }
    const paths = new Map([...byPath].map(([path, routes]) => [path, this.#pathItem(routes)]));
    return { paths, parameters: this.#shared.texts };
  }

  #path({ path, forAllNamespaces }: Route): string {
    const { group, names } = this.#crd.spec;
    const inNamespace = this.#namespaced && !forAllNamespaces ? '/namespaces/{namespace}' : '';
    return `/apis/${group}/${this.#version.name}${inNamespace}/${names.plural}${path}`;
  }

  /** Parameters of all operations become parameters of the path. */
  #pathItem(routes: readonly Route[]): OpenAPIObject {
    const all = routes.map((route) => ({ route, parameters: this.#parameters(route) }));
    const isCommon = ({ name }: ParameterFacts): boolean => all.every(({ parameters }) => parameters.some((one) => one.name === name));
    const operations = all.map(({ route, parameters }) => [
      route.method,
      this.#operation(route, parameters.filter((one) => !isCommon(one)).map(this.#dialect.parameter)),
    ]);
    const common = all[0]?.parameters.filter(isCommon) ?? [];
    return {
      parameters: this.#withShared(common.map(this.#dialect.parameter)),
      ...Object.fromEntries(operations),
    };
  }

  #withShared(parameters: readonly OpenAPIObject[]): readonly OpenAPIObject[] {
    return this.#dialect.version === 2 ? parameters.map((one) => this.#shared.reference(one)) : parameters;
  }

  /** Returns the parameters sorted by name, as in documents. */
  #parameters(route: Route): ParameterFacts[] {
    const { action, path, forAllNamespaces } = route;
    const query = [['pretty', 'string'] as const, ...optionsOf[action]];
    const own = query.map(([name, type]): ParameterFacts => ({ name, in: 'query', type }));
    if (this.#namespaced && !forAllNamespaces) own.push({ name: 'namespace', in: 'path', type: 'string' });
    if (path !== '') own.push({ name: 'name', in: 'path', type: 'string' });
    const { kind } = this.#crd.spec.names;
    return own.map((one) => ({ ...one, ...ofParameter(route, one.name, kind) })).sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  #operation(route: Route, parameters: readonly OpenAPIObject[]): OpenAPIObject {
    const { action, response } = route;
    const { group, names } = this.#crd.spec;
    const groupVersion = { group, version: this.#version.name };
    const consumes = action === 'patch' ? patchMediaTypes : mediaTypes;
    const { parameters: bodyParameters = [], ...body } = this.#body(route, consumes);
    const all = [...(bodyParameters as OpenAPIObject[]), ...parameters];
    const responses = codesOf(action).map(([code, description]) => [
      code,
      this.#dialect.response(description, this.#model(response), mediaTypes),
    ]);
    return {
      ...ofOperation(route, names.kind),
      operationId: this.#operationId(route),
      tags: [operationTag(groupVersion)],
      ...this.#dialect.operation(consumes, mediaTypes),
      ...(all.length > 0 ? { parameters: this.#withShared(all) } : {}),
      ...body,
      responses: { ...Object.fromEntries(responses), 401: { description: 'Unauthorized' } },
      'x-kubernetes-action': action,
      'x-kubernetes-group-version-kind': { ...groupVersion, kind: names.kind },
    };
  }

  #body({ action, body }: Route, consumes: readonly string[]): OpenAPIObject {
    return body === undefined ? {} : this.#dialect.body(this.#model(body), consumes, action !== 'delete');
  }

  #operationId({ action, verb, subresource, forAllNamespaces }: Route): string {
    const { group, names } = this.#crd.spec;
    const collection = action === 'deletecollection' ? 'Collection' : '';
    const scope = this.#namespaced && !forAllNamespaces ? 'Namespaced' : '';
    const title = subresource === undefined ? '' : subresource.charAt(0).toUpperCase() + subresource.slice(1);
    const name = `${collection}${scope}${names.kind}${forAllNamespaces ? 'ForAllNamespaces' : title}`;
    return operationId(verb, { group, version: this.#version.name }, name);
  }

  #model(model: Model): string {
    const { kind, listKind = '' } = this.#crd.spec.names;
    switch (model) {
      case 'object':
        return modelName(this.#crd, this.#version, kind);
      case 'list':
        return modelName(this.#crd, this.#version, listKind);
      case 'Scale':
        return 'io.k8s.api.autoscaling.v1.Scale';
      default:
        return `${meta}.${model}`;
    }
  }
}
