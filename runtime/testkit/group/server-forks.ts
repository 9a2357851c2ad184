import type { ServerFork } from '../../../generated/testing/testing.kubeloom.dev/v1alpha1/types.ts';
import type { ResourceStrategy } from '../../machinery/api-group.ts';
import { equalJson } from '../../machinery/json/equality.ts';
import type { Json } from '../../machinery/object.ts';
import { invalid, notFound } from '../../machinery/validation/field-error.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import type { RESTStrategy } from '../../resources/rest.ts';
import { requireAvailable } from './available.ts';
import type { SnapshotTable } from './snapshots.ts';
import type { CurrentControls, ForkedServer } from './test-controls.ts';

const spec = FieldPath.of('spec');

/** The behavior of ServerForks beyond their schema. */
export const serverForkHooks: ResourceStrategy<ServerFork> = {
  validateUpdate: (fork, old) =>
    equalJson((fork.spec ?? {}) as Json, (old.spec ?? {}) as Json) ? [] : [invalid(spec, fork.spec, 'field is immutable')],
};

/** The servers of ServerForks, by uid. */
export class ForkTable {
  readonly #servers = new Map<string | undefined, ForkedServer>();

  keep(uid: string | undefined, server: ForkedServer): void {
    this.#servers.set(uid, server);
  }

  async close(uid: string | undefined): Promise<void> {
    const server = this.#servers.get(uid);
    this.#servers.delete(uid);
    await server?.close();
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#servers.keys()].map((uid) => this.close(uid)));
  }
}

/** The request that creates a ServerFork starts its server; the request that deletes it closes the server. */
export function serverForkStrategy(controls: CurrentControls, snapshots: SnapshotTable, forks: ForkTable): RESTStrategy {
  return {
    async beginCreate(fork: ServerFork, { dryRun }) {
      const name = fork.spec?.snapshot ?? '';
      const snapshot = snapshots.get(name);
      if (dryRun || (name !== '' && snapshot === undefined)) return undefined;
      const server = await requireAvailable(() => controls().fork({ listen: true, ...(snapshot && { snapshot }) }));
      fork.status = { server: server.url, kubeconfig: server.kubeconfig };
      return async (outcome) => {
        if (outcome === 'written') forks.keep(fork.metadata.uid, server);
        else await server.close();
      };
    },
    validateCreate({ spec: { snapshot = '' } = {} }: ServerFork, errors) {
      const isKnown = snapshot === '' || snapshots.get(snapshot) !== undefined;
      if (!isKnown) errors.push(notFound(spec.child('snapshot'), snapshot));
    },
    afterDelete: ({ metadata: { uid } }) => forks.close(uid),
  };
}
