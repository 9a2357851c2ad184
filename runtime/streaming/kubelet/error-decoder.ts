import { quote } from '../../machinery/go/quote.ts';
import { isJsonObject } from '../../machinery/json/values.ts';

/**
 * Returns the exit code in the error stream of a command. (client-go remotecommand errorDecoderV4, errorDecoderV2)
 *
 * @param isStatus whether the message is a Status, as since v4
 * @throws Error for a failure without an exit code
 */
export function decodeError(message: string, isStatus: boolean): number {
  if (message === '') return 0;
  if (!isStatus) throw new Error(`error executing remote command: ${message}`);
  const status = parse(message);
  if (!isJsonObject(status)) throw protocolError(`invalid JSON in ${quote(message)}`);
  if (status.status === 'Success') return 0;
  if (status.status !== 'Failure') throw protocolError('unknown error');
  if (status.reason !== 'NonZeroExitCode') throw new Error(String(status.message ?? ''));
  if (!isJsonObject(status.details)) throw protocolError('details must be set');
  const causes = Array.isArray(status.details.causes) ? status.details.causes.filter(isJsonObject) : [];
  const cause = causes.find(({ reason }) => reason === 'ExitCode');
  if (cause === undefined) throw protocolError('no ExitCode cause given');
  const code = String(cause.message ?? '');
  if (!/^\d{1,3}$/.test(code) || Number(code) > 255) throw protocolError(`invalid exit code value ${quote(code)}`);
  return Number(code);
}

const protocolError = (why: string): Error => new Error(`error stream protocol error: ${why}`);

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
