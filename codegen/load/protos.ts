import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createFileRegistry, type DescField, type DescMessage, fromBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { componentPrefix } from './field-facts.ts';
import { protoProblems } from './proto-problems.ts';
import { SchemaErrors } from './schema-errors.ts';

/** A message with its names in the other documents. */
export interface ProtoMessage {
  readonly desc: DescMessage;
  /** The Go package from the file's go_package: `k8s.io/api/core/v1`. */
  readonly goPackage: string;
  /** The id of the type's OpenAPI component: `io.k8s.api.core.v1.Pod`. */
  readonly id: string;
  /** The .proto file, relative to the schemas folder. */
  readonly file: string;
}

export interface ProtoIndex {
  readonly byId: ReadonlyMap<string, ProtoMessage>;
  readonly byName: ReadonlyMap<string, ProtoMessage>;
}

export const noProtos: ProtoIndex = { byId: new Map(), byName: new Map() };

/**
 * Compiles a folder of .proto files with buf.
 *
 * @throws SchemaErrors with a problem for each line that buf reports
 */
export async function compileProtos(folder: string): Promise<ProtoIndex> {
  const cache = await mkdtemp(join(tmpdir(), 'kubeloom-buf-'));
  try {
    return indexMessages(await runBuf(folder, cache));
  } finally {
    await rm(cache, { recursive: true, force: true });
  }
}

function runBuf(folder: string, cache: string): Promise<Uint8Array> {
  const buf = createRequire(import.meta.url).resolve('@bufbuild/buf/bin/buf');
  const options = {
    encoding: 'buffer' as const,
    maxBuffer: 64 << 20,
    env: { ...process.env, BUF_CACHE_DIR: cache },
  };
  return new Promise((done, fail) => {
    execFile(process.execPath, [buf, 'build', resolve(folder), '--output', '-#format=binpb'], options, (error, out, err) => {
      if (!error) done(out);
      else protoProblems(err.toString() || error.message, folder).then((found) => fail(new SchemaErrors(found)), fail);
    });
  });
}

function indexMessages(bytes: Uint8Array): ProtoIndex {
  const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, bytes));
  const byId = new Map<string, ProtoMessage>();
  const byName = new Map<string, ProtoMessage>();
  for (const file of registry.files) {
    const goPackage = file.proto.options?.goPackage?.replace(/;.*$/, '') || file.proto.package.replaceAll('.', '/');
    const prefix = file.proto.options?.goPackage ? componentPrefix(goPackage) : file.proto.package;
    const add = (desc: DescMessage, outer: string): void => {
      const name = `${outer}${desc.name}`;
      // `Outer.Inner` is OuterInner, unless a message of the file has this name
      const isFree = outer === '' || !file.messages.some((other) => other.name === name);
      const id = `${prefix}.${isFree ? name : `${outer}_${desc.name}`}`;
      const message = { desc, goPackage, id, file: `proto/${file.name}.proto` };
      byId.set(id, message);
      byName.set(desc.typeName, message);
      for (const nested of desc.nestedMessages) add(nested, name);
    };
    for (const desc of file.messages) add(desc, '');
  }
  return { byId, byName };
}

/** Returns the line of a field in its .proto file. */
export function lineOfField(field: DescField): number {
  const path = [...pathOf(field.parent), 2, field.parent.proto.field.indexOf(field.proto)].join();
  const locations = field.parent.file.proto.sourceCodeInfo?.location ?? [];
  return (locations.find((location) => location.path.join() === path)?.span[0] ?? 0) + 1;
}

/** Returns the line of a message in its .proto file. */
export function lineOfMessage(message: DescMessage): number {
  const path = pathOf(message).join();
  const locations = message.file.proto.sourceCodeInfo?.location ?? [];
  return (locations.find((location) => location.path.join() === path)?.span[0] ?? 0) + 1;
}

/** Returns the path of a message in its file's descriptor: field numbers of FileDescriptorProto and DescriptorProto. */
function pathOf({ parent, proto, file }: DescMessage): number[] {
  return parent ? [...pathOf(parent), 3, parent.proto.nestedType.indexOf(proto)] : [4, file.proto.messageType.indexOf(proto)];
}

export function fieldByNumber(message: DescMessage, number: number): DescField | undefined {
  return message.fields.find((field) => field.number === number);
}
