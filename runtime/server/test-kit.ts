import type { Assertions } from '../testkit/assertions.ts';
import type { RequestLog } from '../testkit/requests/request-log.ts';
import { OptionError, type ServerOptions } from './options.ts';

const defaultRequestLog = 10_000;

/** What tests steer and see of one server. Its code is loaded only if the options ask for it. */
export interface TestKit {
  readonly requestLog: RequestLog | undefined;
}

/** @throws OptionError for an invalid option */
export async function openTestKit(options: ServerOptions): Promise<TestKit> {
  const { testControls = false, requestLog = testControls ? defaultRequestLog : 0 } = options;
  if (!Number.isInteger(requestLog) || requestLog < 0) {
    throw new OptionError(`requestLog: ${requestLog} is not a number of requests`);
  }
  return { requestLog: requestLog === 0 ? undefined : await openRequestLog(requestLog) };
}

async function openRequestLog(capacity: number): Promise<RequestLog> {
  return new (await import('../testkit/requests/request-log.ts')).RequestLog(capacity);
}

export function assertions({ requestLog }: TestKit): Assertions {
  return {
    requests(filter) {
      if (requestLog === undefined) throw new Error('requests are recorded with the option testControls or requestLog');
      return requestLog.records(filter);
    },
  };
}
