import { ProxyTransports } from '../../client/proxy/transport.ts';
import { part } from '../assembly/part.ts';
import { openPodPrograms } from '../controllers/pod-programs.ts';
import { handledNodes, joinNetwork, proxyDial } from '../controllers/simulation.ts';
import { openKubelets } from '../kubelets.ts';
import { authentication } from './auth.ts';
import { config } from './inputs.ts';
import { stores } from './resources.ts';
import { serverAddress } from './shared-state.ts';

/** The connections of proxies. */
export const proxyTransports = part('proxyTransports', {
  needs: { config, stores },
  async open({ config: { options }, stores }) {
    await joinNetwork(options, stores);
    return new ProxyTransports(await proxyDial(options, stores));
  },
  close: (opened) => opened.close(),
});

/** The connections to kubelets. Undefined without options for them. */
export const kubelets = part('kubelets', {
  needs: { config, stores, proxyTransports },
  open: ({ config, stores, proxyTransports }) => openKubelets(config, stores, proxyTransports),
  close: (opened) => opened?.close(),
});

/** Handles exec, attach, portforward, log and proxies of nodes. */
export const nodes = part('nodes', {
  needs: { config, stores, kubelets },
  open: ({ config: { options }, stores, kubelets }) => handledNodes(options, stores, kubelets),
});

/** The programs of this machine that run in place of images. Undefined without options for them. */
export const podPrograms = part('podPrograms', {
  needs: { config, stores, authentication, serverAddress },
  open: ({ config: { options, logger }, stores, authentication, serverAddress }) =>
    openPodPrograms(options, { stores, logger, issueToken: authentication.accounts.issueToken, server: () => serverAddress.loopback }),
  close: (opened) => opened?.close(),
});
