import { finished } from 'node:stream';
import type { Dial } from '../../client/transport/dial.ts';
import { dialError } from '../../client/transport/network-error.ts';
import type { SimulationOptions } from '../../options/simulated-cluster.ts';
import type { ServiceNetwork } from '../../resources/service-network.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import { DialFault } from '../network/dial-fault.ts';
import { clusterNetworkOf } from '../network/network-of.ts';
import { connectedPair } from '../network/simulated-socket.ts';
import { isPodAddress } from '../nodes/address-plan.ts';

/** The address of the API server in the network of the nodes. */
const serverAddress = '172.16.0.1';

/**
 * Returns a function that connects to addresses of a simulated cluster, for proxies. Other addresses are unreachable:
 * on the real network, they belong to other hosts.
 */
export function simulatedDial(stores: ResourceStores, options: SimulationOptions): Dial {
  const network = clusterNetworkOf(stores, options);
  return ({ host, port }) => {
    const protocol = 'TCP';
    const to = { address: host, port, protocol } as const;
    const [near, far] = connectedPair({ address: serverAddress, port: 0, protocol }, to);
    near.connecting = true;
    void network.dial(to, serverAddress).then(
      (connection) => {
        near.connecting = false;
        near.emit('connect');
        far.pipe(connection).pipe(far);
        // the reader of the near end handles the error
        connection.on('error', () => far.destroy());
        near.once('close', () => connection.destroy());
        finished(connection, (error) => void (error && far.destroy()));
      },
      (error: unknown) => {
        const code = error instanceof DialFault ? error.code : 'ECONNREFUSED';
        near.destroy(dialError(Object.assign(new Error(code), { code }), host, port));
      },
    );
    return near;
  };
}

/** Returns the network of services and pods of a simulated cluster. */
export const simulatedNetwork = (stores: ResourceStores, options: SimulationOptions): ServiceNetwork => ({
  dial: simulatedDial(stores, options),
  hasPod: (host) => isPodAddress(host),
});
