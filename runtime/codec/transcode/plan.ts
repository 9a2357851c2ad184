import type { BinaryWriter } from '../../machinery/protobuf/codec.ts';
import type { FieldValue, Message, MessageField } from '../../machinery/protobuf/message.ts';
import { writeMessage } from '../../machinery/protobuf/message-writer.ts';
import { encodeDuration } from '../../machinery/protobuf/special-types.ts';

const noBytes = new Uint8Array();

/** What writing a message needs of its fields. */
export interface Plan {
  /** In the order of the JSON. */
  readonly fields: readonly FieldPlan[];
  /** The bytes of all fields when they are absent, and the end of each field's. */
  readonly absent: Uint8Array;
  readonly absentEnds: readonly number[];
  /** Positions in `fields`, by the numbers of the fields. */
  readonly byNumber: readonly number[];
  readonly isInOrder: boolean;
}

export interface FieldPlan {
  readonly field: MessageField;
  /** The name with its closing quote. */
  readonly name: Uint8Array;
  /** The first byte of the name; 0 for an inlined struct. */
  readonly first: number;
  /** The plan of an inlined struct. */
  readonly inlined: Plan | undefined;
  readonly tag: number;
  readonly value: FieldValue;
  /** The bytes of an absent field. */
  readonly absent: Uint8Array;
}

/** Returns the plan of a message, which is made once. */
export function planOf(message: Message): Plan {
  message.derived ??= makePlan(message);
  return message.derived as Plan;
}

function makePlan(message: Message): Plan {
  const fields = message.fields.map((field) => ({
    field,
    name: Buffer.from(`${field.json}"`),
    first: field.json.charCodeAt(0) || 0,
    inlined: field.shape === 'inlined' && typeof field.value !== 'string' ? inlinedPlan(field.value) : undefined,
    tag: field.tag,
    value: field.value,
    absent: absentBytes(field),
  }));
  const byNumber = fields.map((_, index) => index).sort((a, b) => (fields[a]?.tag ?? 0) - (fields[b]?.tag ?? 0));
  const absent = Buffer.concat(fields.map((field) => field.absent));
  let end = 0;
  const absentEnds = fields.map((field) => (end += field.absent.length));
  return { fields, absent, absentEnds, byNumber, isInOrder: byNumber.every((position, index) => position === index) };
}

/** Returns the plan of an inlined struct, which is only written if its fields are in order. */
function inlinedPlan(message: Message): Plan {
  return message.encode === undefined ? planOf(message) : { fields: [], absent: noBytes, absentEnds: [], byNumber: [], isInOrder: true };
}

function absentBytes({ shape, value, tag }: MessageField): Uint8Array {
  if ((shape !== 'single' && shape !== 'inlined') || value === 'bytes') return noBytes;
  return writeMessage((writer) => {
    writer.uint32(tag);
    if (typeof value !== 'string') {
      writer.fork();
      if (value.encode !== undefined) value.encode({} as never, writer);
      else for (const position of planOf(value).byNumber) writeAbsent(planOf(value), position, writer);
      writer.join();
      return;
    }
    switch (value) {
      case 'Quantity':
        writer.fork().uint32(10).string('0').join();
        break;
      case 'IntOrString':
        writer.fork();
        writeIntOrString(writer, 0, undefined);
        writer.join();
        break;
      case 'Duration':
        writer.fork();
        encodeDuration(undefined, writer);
        writer.join();
        break;
      default:
        // a zero, or an empty string or message
        writer.uint32(0);
    }
  });
}

/** Writes one absent field. */
export function writeAbsent(plan: Plan, position: number, writer: BinaryWriter): void {
  const { absent } = plan.fields[position] as FieldPlan;
  if (absent.length > 0) writer.raw(absent, 0, absent.length);
}

/** Writes the absent fields from one position to before another, of fields in the order of their numbers. */
export function writeAbsents({ absent, absentEnds }: Plan, from: number, to: number, writer: BinaryWriter): void {
  const start = absentEnds[from - 1] ?? 0;
  const end = absentEnds[to - 1] ?? 0;
  if (end > start) writer.raw(absent, start, end);
}

/** Writes the members of an IntOrString: its type, the integer, the text. */
export function writeIntOrString(writer: BinaryWriter, int: number, text: string | undefined): void {
  writer.uint32(8).uint32(text === undefined ? 0 : 1);
  writer.uint32(16).int32(int);
  writer.uint32(26).string(text ?? '');
}
