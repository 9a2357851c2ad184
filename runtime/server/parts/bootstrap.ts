import { optional, part } from '../assembly/part.ts';
import { ControlPlaneControllers } from '../controllers/control-plane-controllers.ts';
import { serveCustomResources } from '../custom-resources.ts';
import { authorization } from './auth.ts';
import { config } from './inputs.ts';
import { initializedPlugins } from './plugins.ts';
import { stores } from './resources.ts';
import { milestones } from './shared-state.ts';
import { initialSnapshot } from './test-kit.ts';

/** Restores the objects of the initial snapshot whose kinds are served now, including CustomResourceDefinitions. */
export const restoration = part('restoration', {
  needs: { stores, initializedPlugins, initialSnapshot: optional(initialSnapshot) },
  async open({ stores, initialSnapshot }) {
    const begun = initialSnapshot?.restorationTo(stores);
    await begun?.restoreServed();
    return begun;
  },
});

/** The controllers of kube-apiserver itself. */
export const controlPlane = part('controlPlane', {
  needs: { config, stores, milestones },
  open: ({ config, stores, milestones }) => new ControlPlaneControllers(config, { stores, logger: config.logger }, milestones),
  withdraw: (opened) => opened.withdraw(),
  close: (opened) => opened.close(),
});

/** Creates the objects of every cluster. A fork has those of its origin. */
export const bootstrapObjects = part('bootstrapObjects', {
  needs: { controlPlane, restoration },
  open: ({ controlPlane }) => controlPlane.prepare(),
  fork: { take: () => true, open: () => undefined },
});

/** Lets authorizers follow the objects that they depend on. The value is a function that stops them. */
export const followedPolicy = part('followedPolicy', {
  needs: { authorization, stores, bootstrapObjects },
  open: ({ authorization, stores }) => authorization.follow(stores),
  close: (stop) => stop(),
});

/** Serves the kinds of established CustomResourceDefinitions. */
export const customResources = part('customResources', {
  needs: { config, stores, bootstrapObjects },
  open: ({ config: { logger }, stores }) => serveCustomResources(stores, logger),
  close: (opened) => opened.close(),
});

/** Restores the custom resources of the initial snapshot. */
export const restoredCustomResources = part('restoredCustomResources', {
  needs: { restoration, customResources },
  open: ({ restoration }) => restoration?.restoreRest(),
});
