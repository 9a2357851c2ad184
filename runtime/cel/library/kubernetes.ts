import type { Library } from '../checker/declarations.ts';
import { authorizerLibrary } from './authorizer.ts';
import { cidrLibrary } from './cidr.ts';
import { formatLibrary } from './format.ts';
import { ipLibrary } from './ip.ts';
import { kubernetesListsLibrary } from './kubernetes-lists.ts';
import { listsLibrary } from './lists.ts';
import { optionalLibrary } from './optional.ts';
import { quantityLibrary } from './quantity.ts';
import { regexLibrary } from './regex.ts';
import { semverLibrary } from './semver.ts';
import { setsLibrary } from './sets.ts';
import { standardLibrary } from './standard.ts';
import { stringsLibrary } from './strings.ts';
import { twoVariableLibrary } from './two-variable.ts';
import { urlsLibrary } from './urls.ts';

/** The libraries of all expressions in Kubernetes 1.35. (apiserver pkg/cel/environment/base.go) */
export const kubernetesLibraries: readonly Library[] = [
  standardLibrary,
  urlsLibrary,
  regexLibrary,
  kubernetesListsLibrary,
  authorizerLibrary,
  optionalLibrary,
  quantityLibrary,
  stringsLibrary(2),
  setsLibrary,
  ipLibrary,
  cidrLibrary,
  formatLibrary,
  twoVariableLibrary,
  semverLibrary,
  listsLibrary,
];
