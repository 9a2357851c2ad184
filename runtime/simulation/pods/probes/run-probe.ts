import { connect } from 'node:http2';
import type { GRPCAction, Probe } from '../../../../generated/v1.35/core/v1/types.ts';
import type { Clock } from '../../../machinery/clock.ts';
import { messageOf } from '../../../machinery/errors/message-of.ts';
import { formatDuration } from '../../../machinery/go/duration.ts';
import { joinHostPort } from '../../../machinery/go/join-host-port.ts';
import { quote } from '../../../machinery/go/quote.ts';
import { GRPCError } from '../../../storage/grpc/grpc-status.ts';
import { callUnary } from '../../../storage/grpc/unary-call.ts';
import type { ClusterNetwork } from '../../network/cluster-network.ts';
import { dialProblem } from '../../network/dial-fault.ts';
import type { RunOf } from '../../programs/container-run.ts';
import type { ContainerRuns } from '../../programs/container-runs.ts';
import { knownImage } from '../../programs/image.ts';
import { portOf } from './container-port.ts';
import { httpGet } from './http-get.ts';

/** The result of one probe. An unknown one counts for nothing. */
export interface ProbeResult {
  readonly kind: 'success' | 'failure' | 'warning' | 'unknown';
  readonly output: string;
}

export interface ProbeTools {
  readonly runs: ContainerRuns;
  readonly network: ClusterNetwork;
  readonly clock: Clock;
}

const success: ProbeResult = { kind: 'success', output: '' };
const failure = (output: string): ProbeResult => ({ kind: 'failure', output });

/** Probes a container once. (pkg/kubelet/prober runProbe, pkg/probe) */
export async function runProbe(probe: Probe, of: RunOf, tools: ProbeTools): Promise<ProbeResult> {
  const timeout = 1000 * (probe.timeoutSeconds ?? 1);
  const { pod, container } = of;
  const { network, clock } = tools;
  try {
    if (probe.exec) return await execProbe(probe.exec.command ?? [], of, tools, timeout);
    if (probe.httpGet) {
      portOf(probe.httpGet.port, container);
      return await httpProbe(probe.httpGet, of, tools, timeout);
    }
    if (probe.tcpSocket) {
      const port = portOf(probe.tcpSocket.port, container);
      const host = probe.tcpSocket.host || (pod.status?.podIP ?? '');
      try {
        (await network.dialFromNode(pod, { address: host, port, protocol: 'TCP' })).destroy();
        return success;
      } catch (error) {
        return failure(dialProblem(joinHostPort(host, port), error));
      }
    }
    if (probe.grpc) return await grpcProbe(probe.grpc, of, { network, clock }, timeout);
    return { kind: 'unknown', output: `missing probe handler for ${pod.metadata.name}:${container.name}` };
  } catch (error) {
    return { kind: 'unknown', output: messageOf(error) };
  }
}

const goDuration = (ms: number): string => formatDuration(BigInt(ms) * 1_000_000n);

async function execProbe(command: readonly string[], of: RunOf, { runs, clock }: ProbeTools, timeout: number): Promise<ProbeResult> {
  const controller = new AbortController();
  const cancel = clock.after(timeout, () => controller.abort());
  try {
    const result = await runs.runCommand(of, command, controller.signal);
    if (controller.signal.aborted) {
      return failure(`command timed out: ${quote(command.join(' '))} timed out after ${goDuration(timeout)}`);
    }
    // a program that nobody knows may be in the image
    if (result === undefined && !knownImage(of.container.image ?? '')?.isComplete) return success;
    if (result === undefined) return { kind: 'unknown', output: missingCommand(command[0] ?? '') };
    return result.exitCode === 0 ? success : failure(result.output);
  } finally {
    cancel();
  }
}

/** Returns the error in the words of containerd and runc. */
export const missingCommand = (name: string): string =>
  'rpc error: code = Unknown desc = failed to exec in container: failed to start exec: OCI runtime exec failed: exec failed: unable to start ' +
  `container process: exec: ${quote(name)}: executable file not found in $PATH`;

async function httpProbe(
  action: NonNullable<Probe['httpGet']>,
  { pod, container }: RunOf,
  { runs, network, clock }: ProbeTools,
  timeout: number,
): Promise<ProbeResult> {
  try {
    const { status, body } = await httpGet(action, {
      pod,
      container,
      network,
      clock,
      purpose: 'probe',
      timeout,
      mayHaveTLS: runs.isProcess(container),
    });
    if (status >= 200 && status < 300) return success;
    if (status >= 300 && status < 400) return { kind: 'warning', output: `Probe terminated redirects, Response body: ${body}` };
    return failure(`HTTP probe failed with statuscode: ${status}`);
  } catch (error) {
    return failure(messageOf(error));
  }
}

const statusNames = ['UNKNOWN', 'SERVING', 'NOT_SERVING', 'SERVICE_UNKNOWN'];
const unimplemented = 'Unimplemented';

async function grpcProbe(
  { port, service = '' }: GRPCAction,
  { pod }: RunOf,
  { network, clock }: Pick<ProbeTools, 'network' | 'clock'>,
  timeout: number,
): Promise<ProbeResult> {
  const host = pod.status?.podIP ?? '';
  const place = joinHostPort(host, port);
  let isLate = false;
  let cancel = (): void => undefined;
  try {
    const connection = await network.dialFromNode(pod, { address: host, port, protocol: 'TCP' });
    const session = connect(`http://${place}`, { createConnection: () => connection });
    session.on('error', () => undefined);
    cancel = clock.after(timeout, () => {
      isLate = true;
      session.destroy();
    });
    const name = Buffer.from(service);
    const request = name.length === 0 ? name : Buffer.concat([Buffer.from([10, name.length]), name]);
    try {
      const answer = await callUnary(session, { method: '/grpc.health.v1.Health/Check', request, timeout: maxDelay, maxMessage: 4096 });
      const status = answer[0] === 8 ? (answer[1] ?? 0) : 0;
      return status === 1 ? success : failure(`service unhealthy (responded with ${quote(statusNames[status] ?? String(status))})`);
    } finally {
      session.destroy();
    }
  } catch (error) {
    if (isLate) return failure(`timeout: health rpc did not complete within ${goDuration(timeout)}`);
    if (!(error instanceof GRPCError)) {
      return failure(`timeout: failed to connect service ${quote(place)} within ${goDuration(timeout)}: context deadline exceeded`);
    }
    if (error.code === unimplemented) {
      return failure(`error: this server does not implement the grpc health protocol (grpc.health.v1.Health): ${error.description}`);
    }
    return failure(`error: health rpc probe failed: ${error.message}`);
  } finally {
    cancel();
  }
}

const maxDelay = 2 ** 31 - 1;
