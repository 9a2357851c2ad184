import { HTTPClient, responseTooLarge } from '../../client/transport/http-client.ts';
import { Transport } from '../../client/transport/transport.ts';
import { messageOf } from '../../machinery/errors/message-of.ts';
import { type GoURL, parseGoURL } from '../../machinery/go/url.ts';
import type { ComponentProbe, ProbeResult } from './component-status.ts';

const kubeControllerManagerPort = 10257;
const kubeSchedulerPort = 10259;
const timeout = 20_000;
/** The most bytes of a response in a message. */
const maxBodyLength = 10 * 1024;

/**
 * Returns probes of a cluster's components: processes beside the server, on their default ports, and the store as etcd.
 * (pkg/registry/core/rest componentStatusStorage)
 */
export const componentProbes = (checkStorage: () => unknown, release: string): Readonly<Record<string, ComponentProbe>> => ({
  'controller-manager': () => probeHealthz(kubeControllerManagerPort, release),
  'etcd-0': async () => {
    try {
      await checkStorage();
      return { result: 'success', message: 'ok' };
    } catch (error) {
      return { result: 'failure', message: '', error: messageOf(error) };
    }
  },
  scheduler: () => probeHealthz(kubeSchedulerPort, release),
});

/**
 * Requests /healthz. Certificates are not verified, since the components sign their own. (pkg/probe/http DoHTTPProbe)
 */
export async function probeHealthz(port: number, release: string): Promise<ProbeResult> {
  const transport = new Transport({ tls: { insecure: true } });
  const url = parseGoURL(`https://127.0.0.1:${port}/healthz`) as GoURL;
  const { signal } = new AbortController();
  const headers = { 'user-agent': `kube-probe/${release.slice(1)}`, accept: '*/*', connection: 'close' };
  try {
    const { status, body, bodyError } = await new HTTPClient({ transport }).do({
      method: 'GET',
      url,
      headers,
      signal,
      timeout,
      maxResponseBytes: maxBodyLength,
      disableCompression: true,
    });
    const isCut = bodyError !== undefined && (bodyError as NodeJS.ErrnoException).code !== responseTooLarge;
    if (isCut) return { result: 'unknown', message: '', error: bodyError.message };
    if (status < 200 || status >= 400) {
      return { result: 'failure', message: `HTTP probe failed with statuscode: ${status}` };
    }
    if (status < 300) return { result: 'success', message: body.toString() };
    return { result: 'unknown', message: `Probe terminated redirects, Response body: ${body}` };
  } catch (error) {
    return { result: 'failure', message: messageOf(error) };
  } finally {
    transport.close();
  }
}
