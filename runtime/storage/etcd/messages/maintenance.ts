import { BinaryReader } from '@bufbuild/protobuf/wire';
import { readFields, readHeaderRevision, readInt64 } from './wire.ts';

/** The state of one member. */
export interface StatusResponse {
  readonly revision: number;
  /** For example `3.5.21`. */
  readonly version: string;
  /** The allocated bytes of the data file. */
  readonly dbSize: number;
}

export function decodeStatus(message: Uint8Array): StatusResponse {
  const reader = new BinaryReader(message);
  const response = { revision: 0, version: '', dbSize: 0 };
  readFields(reader, reader.len, (field) => {
    if (field === 1) response.revision = readHeaderRevision(reader);
    else if (field === 2) response.version = reader.string();
    else if (field === 3) response.dbSize = readInt64(reader);
    else return false;
    return true;
  });
  return response;
}
