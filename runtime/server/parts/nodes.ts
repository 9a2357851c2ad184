import { ProxyTransports } from '../../client/proxy/transport.ts';
import { part } from '../assembly/part.ts';
import { handledNodes, proxyDial } from '../controllers/simulation.ts';
import { openKubelets } from '../kubelets.ts';
import { config } from './inputs.ts';
import { stores } from './resources.ts';

/** The connections of proxies. */
export const proxyTransports = part('proxyTransports', {
  needs: { config, stores },
  open: async ({ config: { options }, stores }) => new ProxyTransports(await proxyDial(options, stores)),
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
