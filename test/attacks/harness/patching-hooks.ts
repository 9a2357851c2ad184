import { AdmissionWebhookServer, rule } from '../../support/admission-webhook.ts';
import { post } from '../builders/targets.ts';
import type { PatchingHook, Request } from './attack.ts';

const path = '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations';

/** Webhooks of a table, on a server of their own. */
export class PatchingHooks {
  readonly #server: AdmissionWebhookServer;
  /** Creates their configurations. */
  readonly setup: readonly Request[];

  private constructor(server: AdmissionWebhookServer, hooks: readonly PatchingHook[]) {
    this.#server = server;
    this.setup = hooks.map(({ name, groupVersion, resource, patch }) => {
      const clientConfig = server.on(`/${name}`, () => ({ allowed: true, patch: patch() }));
      const webhook = {
        name: `${name}.example.com`,
        clientConfig,
        rules: [rule(resource, 'CREATE', groupVersion)],
        matchConditions: [{ name: 'name', expression: `object.metadata.name == '${name}'` }],
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      };
      return post(path, { metadata: { name }, webhooks: [webhook] });
    });
  }

  static async open(hooks: readonly PatchingHook[]): Promise<PatchingHooks> {
    return new PatchingHooks(await AdmissionWebhookServer.open(), hooks);
  }

  close(): Promise<void> {
    return this.#server.close();
  }
}
