import { PluginScenes } from './admission-plugins.ts';
import { PolicyScenes, written } from './admission-policies.ts';
import { WebhookScenes } from './admission-webhooks.ts';
import type { Scene } from './scenes.ts';
import type { Source } from './sources.ts';

/** Writes under random policies, webhooks, quotas, limits and classes. */
export async function admission(): Promise<Source> {
  const webhooks = await WebhookScenes.open();
  const made: Readonly<Record<string, (seed: number) => readonly Scene[]>> = {
    policies: (seed) => [new PolicyScenes(seed).scene()],
    webhooks: (seed) => [webhooks.scene(seed)],
    plugins: (seed) => new PluginScenes(seed).scenes(),
  };
  return {
    options: { featureGates: ['MutatingAdmissionPolicy'] },
    given: written,
    scenes: (seed, titles) => Object.values(made).flatMap((make) => make(seed).filter(({ title }) => titles.test(title))),
    stop: () => webhooks.close(),
  };
}
