import type { ApiGroup } from '../../machinery/api-group.ts';
import type { Catalog } from '../../machinery/catalog.ts';
import type { Clock } from '../../machinery/clock.ts';
import { type FeatureGates, parseFeatureGates } from '../../machinery/feature-gates/feature-gates.ts';
import { defaultRelease, minorOf } from '../../machinery/release.ts';
import { OptionError, type ServerOptions } from '../../options/server-options.ts';
import { delegatesAuthentication } from '../delegated/config.ts';
import { openTestGroup, type TestGroup } from '../test-kit/test-group.ts';
import { builtinGroup, type ReleaseGroups, servedCatalogs } from './groups.ts';
import { parseRelease } from './releases.ts';
import { applyRuntimeConfig } from './runtime-config.ts';

/** The API groups of a server, and the Kubernetes release that they and the feature gates are from. */
export interface ServedGroups {
  /** The served groups of Kubernetes itself. */
  readonly builtin: ReleaseGroups | ApiGroup;
  /** Undefined unless tests may control the server. */
  readonly testGroup: TestGroup | undefined;
  /** The served groups, Kubernetes' own first. */
  readonly groups: readonly ApiGroup[];
  /** The catalogs of served resources, by group. */
  readonly catalogs: readonly Catalog[];
  readonly features: FeatureGates;
  /** The minor version of the Kubernetes release, for example 35. */
  readonly minor: number;
}

/** @throws OptionError for an invalid release, feature gate or runtime config */
export async function servedGroups(options: ServerOptions, clock: Clock): Promise<ServedGroups> {
  const builtin = builtinGroups(options);
  const ownGroup = 'catalog' in builtin ? builtin : await builtinGroup(builtin);
  const testGroup = await openTestGroup(options, clock);
  const groups = [ownGroup, ...(options.groups ?? []), ...(testGroup ? [testGroup.group] : [])];
  const minor = minorOf(ownGroup.catalog.release);
  const features = parseFeatureGates(options.featureGates ?? [], minor);
  const catalogs = applyRuntimeConfig(servedCatalogs(groups), options.runtimeConfig ?? [], features);
  return { builtin, testGroup, groups, catalogs, features, minor };
}

/**
 * A server with a delegate leaves Kubernetes' own groups to it.
 *
 * @throws OptionError if a server with a delegate is to serve them too, and for an unknown release
 */
function builtinGroups(options: ServerOptions): ReleaseGroups | ApiGroup {
  const { builtin, kubernetes } = options;
  const release = kubernetes === undefined ? defaultRelease : parseRelease(kubernetes);
  if (!delegatesAuthentication(options)) {
    if (typeof builtin !== 'object') return { release, groups: builtin === false ? 'generic' : 'all' };
    if (kubernetes === undefined) return builtin;
    throw new OptionError('--kubernetes-version cannot be used with groups of another release');
  }
  if (!builtin) return { release, groups: 'none' };
  throw new OptionError(
    "--authentication-kubeconfig and --authorization-kubeconfig need --no-builtin: the server that they name serves Kubernetes' own groups",
  );
}
