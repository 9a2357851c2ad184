import type { TypeId } from '../model/model.ts';
import type { GoTypes } from './field-facts.ts';
import { componentPrefix, lastPart } from './field-facts.ts';
import type { ProtoIndex } from './protos.ts';
import type { Component } from './schemas-folder.ts';

/** A package of types whose ids share one prefix. */
export interface TypePackage {
  /** The prefix of ids: `io.k8s.api.core.v1`. */
  readonly prefix: string;
  readonly goPackage?: string;
  readonly group: string;
  readonly version: string;
  /** The folder of its generated code: `core/v1`. */
  readonly folder: string;
}

export const metaPrefix = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const metaFolder = 'meta/v1';

export const prefixOf = (id: TypeId): string => id.slice(0, id.lastIndexOf('.'));
export const nameOf = (id: TypeId): string => id.slice(id.lastIndexOf('.') + 1);
export const folderOf = (group: string, version: string): string => `${group === '' ? 'core' : group}/${version}`;

/**
 * Finds the group-version of a package: from the group-version-kinds of its components, or else from another version of
 * the package, or from the groups in which DeleteOptions is registered.
 */
export class Packages {
  readonly #byPrefix = new Map<string, TypePackage>();
  readonly #goPackages = new Map<string, string>();
  readonly #registered: { readonly group: string; readonly version: string }[] = [];

  constructor(components: Iterable<Component>, protos: ProtoIndex, go: GoTypes) {
    for (const goPackage of go.packages) this.#goPackages.set(componentPrefix(goPackage), goPackage);
    for (const message of protos.byId.values()) this.#goPackages.set(prefixOf(message.id), message.goPackage);
    this.#put(metaPrefix, '', 'v1', metaFolder);
    for (const { id, schema } of components) {
      const [kind, ...others] = schema['x-kubernetes-group-version-kind'] ?? [];
      if (kind && others.length > 0) this.#registered.push(kind, ...others);
      else if (kind && !this.#byPrefix.has(prefixOf(id)))
        this.#put(prefixOf(id), kind.group, kind.version, folderOf(kind.group, kind.version));
    }
  }

  of(prefix: string): TypePackage {
    const known = this.#byPrefix.get(prefix);
    if (known) return known;
    const version = prefix.slice(prefix.lastIndexOf('.') + 1);
    const group = this.#groupOf(prefix, version);
    return this.#put(prefix, group, version, folderOf(group, version));
  }

  #groupOf(prefix: string, version: string): string {
    const parent = prefix.slice(0, prefix.lastIndexOf('.'));
    const name = parent.slice(parent.lastIndexOf('.') + 1);
    for (const other of this.#byPrefix.values()) {
      if (other.folder !== metaFolder && prefixOf(other.prefix) === parent) return other.group;
    }
    const registered = this.#registered.find(
      (kind) => kind.version === version && (kind.group === name || kind.group.split('.')[0] === name),
    );
    return registered?.group ?? `${name}.k8s.io`;
  }

  #put(prefix: string, group: string, version: string, folder: string): TypePackage {
    const goPackage = this.#goPackages.get(prefix);
    const made = { prefix, group, version, folder, ...(goPackage ? { goPackage } : {}) };
    this.#byPrefix.set(prefix, made);
    return made;
  }
}

/**
 * Kubernetes' order of versions: GA before beta before alpha, then higher numbers first, then by name. (apimachinery
 * pkg/version CompareKubeAwareVersionStrings)
 */
export function compareKubeAwareVersions(left: string, right: string): number {
  const ranks = rank(right);
  for (const [index, mine] of rank(left).entries()) {
    const theirs = ranks[index] ?? 0;
    if (mine !== theirs) return theirs - mine;
  }
  return left < right ? -1 : left > right ? 1 : 0;
}

function rank(version: string): readonly number[] {
  const [, major, stage, minor] = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version) ?? [];
  if (major === undefined) return [0, 0, 0];
  const stages: ReadonlyMap<string | undefined, number> = new Map([
    ['beta', 2],
    ['alpha', 1],
  ]);
  return [stages.get(stage) ?? 3, Number(major), Number(minor ?? 0)];
}

/**
 * The order in which kube-apiserver lists its groups. pkg/controlplane/apiserver/aggregator.go gives each a priority;
 * groups of equal priority are sorted by name. Unknown groups come last.
 */
const groupOrder = [
  '',
  'apiregistration.k8s.io',
  'apps',
  'events.k8s.io',
  'authentication.k8s.io',
  'authorization.k8s.io',
  'autoscaling',
  'batch',
  'certificates.k8s.io',
  'networking.k8s.io',
  'policy',
  'rbac.authorization.k8s.io',
  'storage.k8s.io',
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'scheduling.k8s.io',
  'coordination.k8s.io',
  'node.k8s.io',
  'discovery.k8s.io',
  'flowcontrol.apiserver.k8s.io',
  'internal.apiserver.k8s.io',
  'resource.k8s.io',
  'storagemigration.k8s.io',
];

type GroupVersion = { readonly group: string; readonly version: string };

export function compareGroupVersions(left: GroupVersion, right: GroupVersion): number {
  if (left.group === right.group) return compareKubeAwareVersions(left.version, right.version);
  const placeOf = (group: string): number => groupOrder.indexOf(group) + 1 || groupOrder.length + 1;
  return placeOf(left.group) - placeOf(right.group) || (left.group < right.group ? -1 : 1);
}

/** Reports whether a package is named after a version: `.../v1`, `.../v1beta2`. */
export const isVersioned = (goPackage: string): boolean => /^v\d+((alpha|beta)\d+)?$/.test(lastPart(goPackage));
