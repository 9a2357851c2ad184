import { optional, part } from '../assembly/part.ts';
import { ControlPlaneControllers } from '../controllers/control-plane-controllers.ts';
import { serveCustomResources } from '../custom-resources.ts';
import { authorization } from './auth.ts';
import { config } from './inputs.ts';
import { initializedPlugins } from './plugins.ts';
import { stores } from './resources.ts';
import { milestones } from './shared-state.ts';
import { initialSnapshot } from './test-kit.ts';

/** The objects of the initial snapshot whose kinds are served now. CustomResourceDefinitions are among them. */
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

/** The objects that every cluster has. A fork has those of its origin. */
export const bootstrapObjects = part('bootstrapObjects', {
  needs: { controlPlane, restoration },
  open: ({ controlPlane }) => controlPlane.prepare(),
  fork: { take: () => true, open: () => undefined },
});

/** Authorizers follow the objects that their decisions depend on. The value stops them. */
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

/** The custom resources of the initial snapshot. */
export const restoredCustomResources = part('restoredCustomResources', {
  needs: { restoration, customResources },
  open: ({ restoration }) => restoration?.restoreRest(),
});
