import { createEnvironment, type Environment } from '../expression.ts';
import { authorizerType, resourceCheckType } from '../library/authorizer.ts';
import { kubernetesLibraries } from '../library/kubernetes.ts';
import { mutationLibrary } from '../mutation/library.ts';
import { dynType } from '../types/type.ts';
import { namespaceType, requestType } from './declarations.ts';

/** The optional variables that expressions may use. (cel.OptionalVariableDeclarations) */
export interface OptionalVariables {
  readonly params?: boolean;
  /** `authorizer` and `authorizer.requestResource`. */
  readonly authorizer?: boolean;
  /** The types `Object` and `JSONPatch`. They are not variables. */
  readonly patchTypes?: boolean;
}

const environments = new Map<string, Environment>();

/** Returns the environment of expressions about a write. (cel.mustBuildEnvs) */
export function admissionEnvironment(optional: OptionalVariables): Environment {
  const { params = false, authorizer = false, patchTypes = false } = optional;
  const key = `${params}/${authorizer}/${patchTypes}`;
  let environment = environments.get(key);
  if (environment === undefined) {
    environment = createEnvironment({
      libraries: patchTypes ? [...kubernetesLibraries, mutationLibrary] : kubernetesLibraries,
      variables: {
        object: dynType,
        oldObject: dynType,
        namespaceObject: namespaceType,
        request: requestType,
        ...(params && { params: dynType }),
        ...(authorizer && { authorizer: authorizerType, 'authorizer.requestResource': resourceCheckType }),
      },
    });
    environments.set(key, environment);
  }
  return environment;
}
