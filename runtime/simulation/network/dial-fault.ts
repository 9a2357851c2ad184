import { messageOf } from '../../machinery/errors/message-of.ts';

type FaultCode = 'ECONNREFUSED' | 'EHOSTUNREACH' | 'ETIMEDOUT';

/** A connection could not be opened. The code is a system's, as in errors of node:net. */
export class DialFault extends Error {
  readonly code: FaultCode;

  constructor(code: FaultCode) {
    super(code);
    this.code = code;
  }
}

const words: Readonly<Record<FaultCode, string>> = {
  ECONNREFUSED: 'connect: connection refused',
  EHOSTUNREACH: 'connect: no route to host',
  ETIMEDOUT: 'i/o timeout',
};

/** Returns Go's words for a connection that could not be opened. @param place as 10.0.0.1:80 */
export const dialProblem = (place: string, error: unknown): string =>
  `dial tcp ${place}: ${error instanceof DialFault ? words[error.code] : messageOf(error)}`;
