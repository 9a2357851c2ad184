type FaultCode = 'ECONNREFUSED' | 'EHOSTUNREACH' | 'ETIMEDOUT';

/** A connection could not be opened. The code is a system's, as in errors of node:net. */
export class DialFault extends Error {
  readonly code: FaultCode;

  constructor(code: FaultCode) {
    super(code);
    this.code = code;
  }
}
