import { get } from 'node:https';
import type { ComponentProbe, ProbeResult } from '../kinds/core/component-status.ts';

const kubeControllerManagerPort = 10257;
const kubeSchedulerPort = 10259;
const timeout = 20_000;
/** How much of a response is a message. */
const maxBodyLength = 10 * 1024;

/**
 * The components of a cluster: those that run beside the server, on the ports that they have by default, and the store, under
 * the name of etcd. (pkg/registry/core/rest componentStatusStorage)
 */
export const componentProbes = (checkStorage: () => unknown): Readonly<Record<string, ComponentProbe>> => ({
  'controller-manager': () => probeHealthz(kubeControllerManagerPort),
  'etcd-0': async () => {
    try {
      await checkStorage();
      return { result: 'success', message: 'ok' };
    } catch (error) {
      return { result: 'failure', message: '', error: (error as Error).message };
    }
  },
  scheduler: () => probeHealthz(kubeSchedulerPort),
});

/** Certificates are not verified, since the components make their own. (pkg/probe/http DoHTTPProbe) */
export function probeHealthz(port: number): Promise<ProbeResult> {
  const url = `https://127.0.0.1:${port}/healthz`;
  return new Promise((resolve) => {
    const fail = (why: string): void => resolve({ result: 'failure', message: `Get "${url}": ${why}` });
    const options = { rejectUnauthorized: false, agent: false, timeout, headers: { 'User-Agent': 'kube-probe/' } };
    const request = get(url, options, (response) => {
      const { statusCode = 0 } = response;
      const chunks: Buffer[] = [];
      let length = 0;
      const finish = (): void => {
        const body = Buffer.concat(chunks).subarray(0, maxBodyLength).toString();
        const isHealthy = statusCode >= 200 && statusCode < 400;
        if (isHealthy) resolve({ result: 'success', message: body });
        else resolve({ result: 'failure', message: `HTTP probe failed with statuscode: ${statusCode}` });
        response.destroy();
      };
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        length += chunk.length;
        if (length >= maxBodyLength) finish();
      });
      response.on('end', finish);
      response.on('error', (error) => fail(error.message));
    });
    const deadline = setTimeout(() => request.destroy(new Error('context deadline exceeded')), timeout);
    request.on('timeout', () => request.destroy(new Error('context deadline exceeded')));
    request.on('error', (error: NodeJS.ErrnoException) =>
      fail(error.code === 'ECONNREFUSED' ? `dial tcp 127.0.0.1:${port}: connect: connection refused` : error.message),
    );
    request.on('close', () => clearTimeout(deadline));
  });
}
