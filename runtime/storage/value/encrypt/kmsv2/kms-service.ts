import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { GRPCError } from '../../../grpc/grpc-status.ts';
import { readBytesEntry, writeBytesMap } from './encrypted-object.ts';
import type { EnvelopeMetrics } from './envelope-metrics.ts';
import { UnaryClient } from './unary-client.ts';

export interface StatusResponse {
  readonly version: string;
  /** `ok`, or an error text. */
  readonly healthz: string;
  /** The current encryption key. */
  readonly keyID: string;
}

export interface EncryptResponse {
  readonly ciphertext: Uint8Array;
  readonly keyID: string;
  readonly annotations: ReadonlyMap<string, Uint8Array>;
}

export interface DecryptRequest {
  readonly ciphertext: Uint8Array;
  readonly keyID: string;
  readonly annotations: ReadonlyMap<string, Uint8Array>;
}

/** A key management service. All methods throw GRPCError. (k8s.io/kms apis/v2) */
export interface KMSService {
  status(): Promise<StatusResponse>;
  encrypt(uid: string, plaintext: Uint8Array): Promise<EncryptResponse>;
  decrypt(uid: string, request: DecryptRequest): Promise<Uint8Array>;
  close(): void;
}

export interface KMSServiceOptions {
  readonly providerName: string;
  /** The URL of a Unix socket: `unix:///run/kms.sock`. */
  readonly endpoint: string;
  /** Milliseconds. */
  readonly callTimeout: number;
  readonly metrics: EnvelopeMetrics;
}

/** Returns the service at a Unix socket. (envelope/kmsv2 NewGRPCService) */
export function newGRPCService({ providerName, endpoint, callTimeout, metrics }: KMSServiceOptions): KMSService {
  const client = new UnaryClient(socketPath(endpoint), callTimeout);
  const call = async (name: string, request: BinaryWriter): Promise<BinaryReader> => {
    const method = `/v2.KeyManagementService/${name}`;
    const start = performance.now();
    try {
      const response = await client.call(method, request.finish());
      metrics.recordOperation({ providerName, method, code: 'OK', start });
      return new BinaryReader(response);
    } catch (error) {
      const code = error instanceof GRPCError ? error.code : 'unknown-non-grpc';
      metrics.recordOperation({ providerName, method, code, start });
      throw error;
    }
  };
  return {
    status: async () => readStatus(await call('Status', new BinaryWriter())),
    async encrypt(uid, plaintext) {
      const request = new BinaryWriter();
      request.tag(1, WireType.LengthDelimited).bytes(plaintext);
      request.tag(2, WireType.LengthDelimited).string(uid);
      return readEncrypted(await call('Encrypt', request));
    },
    async decrypt(uid, { ciphertext, keyID, annotations }) {
      const request = new BinaryWriter();
      request.tag(1, WireType.LengthDelimited).bytes(ciphertext);
      request.tag(2, WireType.LengthDelimited).string(uid);
      request.tag(3, WireType.LengthDelimited).string(keyID);
      writeBytesMap(request, 4, annotations);
      return readDecrypted(await call('Decrypt', request));
    },
    close: () => client.close(),
  };
}

/** (kms/pkg/util ParseEndpoint) */
function socketPath(endpoint: string): string {
  const path = endpoint.replace(/^unix:(?:\/\/[^/]*)?/i, '');
  return path.startsWith('/@') ? path.slice(1) : path;
}

/** Reads the fields of a message. `read` returns false for unknown fields. */
function readFields(reader: BinaryReader, read: (field: number) => boolean): void {
  try {
    while (reader.pos < reader.len) {
      const [field, wireType] = reader.tag();
      if (!read(field)) reader.skip(wireType, field);
    }
  } catch {
    throw new GRPCError('Internal', 'grpc: failed to unmarshal the received message');
  }
}

function readStatus(reader: BinaryReader): StatusResponse {
  const response = { version: '', healthz: '', keyID: '' };
  const names = ['version', 'healthz', 'keyID'] as const;
  readFields(reader, (field) => {
    const name = names[field - 1];
    if (name === undefined) return false;
    response[name] = reader.string();
    return true;
  });
  return response;
}

function readEncrypted(reader: BinaryReader): EncryptResponse {
  const annotations = new Map<string, Uint8Array>();
  let ciphertext: Uint8Array = new Uint8Array();
  let keyID = '';
  readFields(reader, (field) => {
    if (field === 1) ciphertext = reader.bytes();
    else if (field === 2) keyID = reader.string();
    else if (field === 3) readBytesEntry(reader, annotations);
    else return false;
    return true;
  });
  return { ciphertext, keyID, annotations };
}

function readDecrypted(reader: BinaryReader): Uint8Array {
  let plaintext: Uint8Array = new Uint8Array();
  readFields(reader, (field) => {
    if (field !== 1) return false;
    plaintext = reader.bytes();
    return true;
  });
  return plaintext;
}
