import type { AuthorizerAttributes } from '../../authorization/authorizer.ts';
import type { Attributes, Operation } from '../../machinery/admission.ts';
import { parseGroupVersion } from '../../machinery/gvk.ts';
import { equalJson } from '../../machinery/json/equality.ts';
import type { KubeObject, OwnerReference } from '../../machinery/object.ts';
import type { ResourceDefinition } from '../../machinery/resource.ts';
import { newForbidden } from '../errors.ts';
import type { Plugin, PluginContext, PluginFactory } from '../plugin.ts';

export const newOwnerReferencesPermissionEnforcement: PluginFactory = (context) => new OwnerReferencesPermissionEnforcement(context);

/**
 * Requires permission to delete an object from users who change its owners, and permission to update an owner's
 * finalizers from users who block its deletion. (plugin/pkg/admission/gc)
 */
class OwnerReferencesPermissionEnforcement implements Plugin {
  readonly #context: PluginContext;

  constructor(context: PluginContext) {
    this.#context = context;
  }

  handles(operation: Operation, { group, resource }: ResourceDefinition, subresource: string): boolean {
    if (operation !== 'CREATE' && operation !== 'UPDATE') return false;
    // old kubelets corrupt the owner references in the status of pods, and the strategy restores them
    return group !== '' || resource !== 'pods' || subresource !== 'status';
  }

  validate(attributes: Attributes): void | Promise<void> {
    const owners = ownersOf(attributes.object);
    const oldOwners = ownersOf(attributes.oldObject);
    if (equalJson(owners, oldOwners)) return;
    return this.#check(attributes, newBlocking(owners, oldOwners));
  }

  async #check(attributes: Attributes, blocking: readonly OwnerReference[]): Promise<void> {
    const { definition, operation, subresource, name } = attributes;
    if (operation !== 'CREATE') {
      const { group, version, resource } = definition;
      const refusal = await this.#refusal(attributes, {
        verb: 'delete',
        group,
        version,
        resource,
        subresource,
        name,
      });
      if (refusal) throw newForbidden(attributes, `cannot set an ownerRef on a resource you can't delete: ${refusal}`);
    }
    for (const owner of blocking) await this.#checkOwner(attributes, owner);
  }

  async #checkOwner(attributes: Attributes, { apiVersion, kind, name }: OwnerReference): Promise<void> {
    const { group, version } = parseGroupVersion(apiVersion) ?? { group: apiVersion, version: '' };
    const mapping = await this.#context.mapper.mapping({ group, version, kind });
    if (mapping === undefined) {
      const what = `APIVersion ${apiVersion} Kind ${kind}: no matches for kind "${kind}" in version "${apiVersion}"`;
      const message = `cannot set blockOwnerDeletion in this case because cannot find RESTMapping for ${what}`;
      throw newForbidden(attributes, message);
    }
    const { resource, namespaced } = mapping.facts;
    const action = { verb: 'update', group, version, resource, subresource: 'finalizers', name };
    const refusal = await this.#refusal(attributes, action, namespaced ? attributes.namespace : '');
    if (refusal === undefined) return;
    const message = "cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on";
    throw newForbidden(attributes, `${message}: ${refusal}`);
  }

  /** Returns the reason and the error of a refusal, as Go prints them. */
  async #refusal(
    { user, namespace }: Attributes,
    action: Omit<AuthorizerAttributes, 'user' | 'namespace' | 'path' | 'isResourceRequest'>,
    at = namespace,
  ): Promise<string | undefined> {
    const { decision, reason, evaluationError } = await this.#context.authorizer.authorize({
      ...action,
      user,
      namespace: at,
      path: '',
      isResourceRequest: true,
    });
    return decision === 'allow' ? undefined : `${reason}, ${evaluationError ?? '<nil>'}`;
  }
}

const ownersOf = (object: KubeObject | undefined): readonly OwnerReference[] => object?.metadata?.ownerReferences ?? [];

/** Returns the owners whose deletion the object newly blocks. */
function newBlocking(owners: readonly OwnerReference[], oldOwners: readonly OwnerReference[]): OwnerReference[] {
  const blocked = new Set(oldOwners.filter(({ blockOwnerDeletion }) => blockOwnerDeletion).map(({ uid }) => uid));
  return owners.filter(({ blockOwnerDeletion, uid }) => blockOwnerDeletion && !blocked.has(uid));
}
