import type { Duplex } from 'node:stream';
import { TimeSlice } from '../../machinery/event-loop/yield.ts';
import { type Counts, FlowWindow } from './flow-window.ts';
import { type ControlFrame, controlFrame, dataHead, type Frame, FrameReader, flagFin, frameTypes } from './frames.ts';
import { HeaderReader, type Headers, HeaderWriter } from './header-block.ts';
import { SpdyError, type SpdyStatus, statusCodes } from './spdy-error.ts';
import { SpdyStream, type StreamTransport } from './stream.ts';

export interface ConnectionOptions {
  readonly transport: Duplex;
  readonly role: 'client' | 'server';
  /** Decides about a stream that the other side has opened, by `reply` or `reset`. Default: it is refused. */
  readonly onStream?: (stream: SpdyStream) => void;
}

/** Bytes that wait to be sent, after which this side reads no further: answers to frames must not pile up. */
const queueLimit = 256 * 1024;
/** Streams that the other side may have open. */
const maxStreams = 1_000;
const defaultWindow = 64 * 1024;
/** Bytes that were read before the other side is told. */
const windowUpdateStep = defaultWindow / 2;
const initialWindowSetting = 7;
const streamIdMask = 0x7fffffff;

/** Many streams over one connection, from either side of it. (SPDY/3.1, moby/spdystream) */
export class SpdyConnection implements StreamTransport {
  /** Resolves when the connection is closed, for whatever reason. */
  readonly closed: Promise<void>;
  readonly windows = { areCounted: false, initial: defaultWindow };
  /** What all streams together may send. */
  readonly #window = new FlowWindow(ofSession(this.windows));
  readonly #options: ConnectionOptions;
  readonly #reader = new FrameReader();
  readonly #headerReader = new HeaderReader();
  readonly #headerWriter = new HeaderWriter();
  readonly #streams = new Map<number, SpdyStream>();
  /** Bytes that were read of streams since the other side was told. */
  readonly #unreported = new Map<number, number>();
  /** Frames with headers are written in the order in which their headers are compressed. */
  #writing: Promise<unknown> = Promise.resolve();
  /** Resolves when there is room for more; undefined if nobody waits for it. */
  #room: Promise<void> | undefined;
  #nextId: number;
  #lastReceived = 0;
  /** This side opens and accepts no stream any more; the other side has said so. */
  #isGoingAway = false;
  #isGone = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#nextId = options.role === 'client' ? 1 : 2;
    this.closed = this.#run();
  }

  /** Resolves at once: what is written to the stream waits until the other side has accepted it. */
  async open(headers: Headers): Promise<SpdyStream> {
    const id = this.#nextId;
    this.#nextId += 2;
    const stream = new SpdyStream({ id, headers, isOwn: true }, this);
    this.#streams.set(id, stream);
    await this.#writeHeaders(headers, (block) => controlFrame('synStream', [id, 0], Buffer.concat([slot, block])));
    return stream;
  }

  /** No stream can be opened any more; those that are open are ended. */
  close(): void {
    if (!this.#isGoingAway) this.#write(controlFrame('goAway', [this.#lastReceived, 0]));
    this.#isGoingAway = true;
    void this.#writing.then(() => this.#options.transport.end());
  }

  reply({ id }: SpdyStream, headers: Headers): void {
    // a connection that is closed has told its streams already
    this.#writeHeaders(headers, (block) => controlFrame('synReply', [id], block)).catch(() => undefined);
  }

  async data({ id }: SpdyStream, data: Buffer, isFinal: boolean): Promise<void> {
    // not before the frame that opened or accepted the stream
    await this.#writing;
    let rest = data;
    do {
      const size = rest.length === 0 ? 0 : await this.#window.take(rest.length);
      const part = rest.subarray(0, size);
      rest = rest.subarray(size);
      this.#write(dataHead(id, size, isFinal && rest.length === 0));
      this.#write(part);
      // again and again: all streams wait for the same room
      while (this.#options.transport.writableNeedDrain) await this.#drained();
    } while (rest.length > 0);
  }

  reset({ id }: SpdyStream, status: SpdyStatus): void {
    this.#reset(id, status);
  }

  consumed({ id }: SpdyStream, bytes: number): void {
    this.#report(id, bytes);
    this.#report(session, bytes);
  }

  #report(id: number, bytes: number): void {
    const sum = (this.#unreported.get(id) ?? 0) + bytes;
    const isEnough = sum >= windowUpdateStep;
    if (isEnough) this.#write(controlFrame('windowUpdate', [id, sum]));
    this.#unreported.set(id, isEnough ? 0 : sum);
  }

  forget({ id }: SpdyStream): void {
    this.#streams.delete(id);
    this.#unreported.delete(id);
  }

  async #run(): Promise<void> {
    const { transport } = this.#options;
    let reason: SpdyError | undefined = new SpdyError('cancel', 'the connection is closed');
    try {
      for await (const chunk of transport.iterator({ destroyOnReturn: false })) {
        await this.#receiveAll(chunk);
        if (this.#isGone) break;
      }
      if (this.#isGone) reason = undefined;
    } catch (error) {
      if (error instanceof SpdyError) reason = error;
    } finally {
      this.#isGoingAway = true;
      this.#window.close();
      for (const stream of this.#streams.values()) stream.lost(reason);
      await this.#writing;
      this.#headerReader.close();
      this.#headerWriter.close();
      await endOf(transport);
    }
  }

  /** What is answered to the frames of a chunk is written at once. */
  async #receiveAll(chunk: Buffer): Promise<void> {
    const { transport } = this.#options;
    const slice = new TimeSlice();
    transport.cork();
    for (const frame of this.#reader.push(chunk)) {
      const received = this.#receive(frame);
      const isFull = transport.writableLength > queueLimit;
      if (received === undefined && !isFull && !slice.isOver) continue;
      transport.uncork();
      await received;
      if (isFull) await this.#drained();
      else if (slice.isOver) await slice.next();
      transport.cork();
    }
    transport.uncork();
  }

  #receive(frame: Frame): Promise<void> | void {
    if (frame.kind === 'data') return this.#streams.get(frame.streamId)?.received(frame.data, frame.isFinal);
    const { type, payload } = frame;
    switch (type) {
      case frameTypes.synStream:
        return this.#opened(frame);
      case frameTypes.synReply:
        return this.#replied(frame);
      case frameTypes.headers:
        return this.#readHeaders(frame, 4).then(() => undefined);
      case frameTypes.rstStream:
        return this.#streams.get(streamIdOf(frame))?.lost(resetError(wordAt(payload, 4)));
      case frameTypes.ping:
        return this.#pinged(wordAt(payload, 0));
      case frameTypes.settings:
        return this.#set(payload);
      case frameTypes.windowUpdate:
        return this.#widen(streamIdOf(frame), wordAt(payload, 4) & streamIdMask);
      case frameTypes.goAway:
        this.#isGone = true;
        return;
      default:
    }
  }

  async #opened(frame: ControlFrame): Promise<void> {
    const id = streamIdOf(frame);
    const headers = await this.#readHeaders(frame, 10);
    if (this.#isGoingAway) return;
    const isOdd = id % 2 === 1;
    if (id <= this.#lastReceived || isOdd !== (this.#options.role === 'server')) return this.#reset(id, 'protocolError');
    this.#lastReceived = id;
    const { onStream } = this.#options;
    if (onStream === undefined || this.#streams.size >= maxStreams) return this.#reset(id, 'refusedStream');
    const stream = new SpdyStream({ id, headers, isOwn: false }, this);
    this.#streams.set(id, stream);
    if ((frame.flags & flagFin) !== 0) stream.finished();
    onStream(stream);
  }

  async #replied(frame: ControlFrame): Promise<void> {
    await this.#readHeaders(frame, 4);
    const stream = this.#streams.get(streamIdOf(frame));
    stream?.accepted();
    if ((frame.flags & flagFin) !== 0) stream?.finished();
  }

  #pinged(id: number): void {
    const isAnswer = (id % 2 === 1) === (this.#options.role === 'client');
    if (!isAnswer) this.#write(controlFrame('ping', [id]));
  }

  #widen(id: number, bytes: number): void {
    this.windows.areCounted = true;
    if (id === session) this.#window.widen(bytes);
    else this.#streams.get(id)?.widen(bytes);
  }

  #set(payload: Buffer): void {
    const count = wordAt(payload, 0);
    for (let at = 4; at + 8 <= payload.length && at < 4 + 8 * count; at += 8) {
      if (payload.readUIntBE(at + 1, 3) !== initialWindowSetting) continue;
      this.windows.areCounted = true;
      this.windows.initial = wordAt(payload, at + 4) & streamIdMask;
      for (const stream of this.#streams.values()) stream.widen(0);
    }
  }

  /** All headers must be read, whoever they are for: those that follow are compressed with them in mind. */
  #readHeaders({ payload }: ControlFrame, from: number): Promise<Headers> {
    if (payload.length < from) throw new SpdyError('protocolError', 'a frame is truncated');
    return this.#headerReader.read(payload.subarray(from));
  }

  #writeHeaders(headers: Headers, frame: (block: Buffer) => Buffer): Promise<void> {
    const written = this.#writing.then(async () => {
      if (this.#isGoingAway) throw new SpdyError('cancel', 'the connection is closed');
      this.#write(frame(await this.#headerWriter.write(headers)));
    });
    this.#writing = written.catch(() => undefined);
    return written;
  }

  #reset(id: number, status: SpdyStatus): void {
    void this.#writing.then(() => this.#write(controlFrame('rstStream', [id, statusCodes[status]])));
  }

  /** Whether there is room for more. */
  #write(bytes: Buffer): boolean {
    const { transport } = this.#options;
    return transport.writable ? transport.write(bytes) : true;
  }

  /** Resolves when all was sent, or nothing will be. */
  #drained(): Promise<void> {
    const { transport } = this.#options;
    this.#room ??= new Promise<void>((resolve) => {
      const done = (): void => {
        transport.off('drain', done).off('close', done);
        this.#room = undefined;
        resolve();
      };
      transport.on('drain', done).on('close', done);
      if (transport.destroyed) done();
    });
    return this.#room;
  }
}

/** Milliseconds that the other side has to read what was written. */
const endTimeout = 1_000;

/** What was written is sent, if the other side reads it. */
async function endOf(transport: Duplex): Promise<void> {
  const timer = setTimeout(() => transport.destroy(), endTimeout);
  await new Promise<void>((resolve) => {
    if (transport.destroyed) resolve();
    else transport.once('close', resolve).end(() => transport.destroy());
  });
  clearTimeout(timer);
}

/** Stands for all streams in WINDOW_UPDATE. */
const session = 0;

const ofSession = (windows: { readonly areCounted: boolean }): Counts => ({
  get areCounted() {
    return windows.areCounted;
  },
  initial: defaultWindow,
});

/** Priority and credential of a stream: none. */
const slot = Buffer.alloc(2);

const streamIdOf = ({ payload }: ControlFrame): number => wordAt(payload, 0) & streamIdMask;

/** @throws SpdyError */
function wordAt(payload: Buffer, at: number): number {
  if (payload.length < at + 4) throw new SpdyError('protocolError', 'a frame is truncated');
  return payload.readUInt32BE(at);
}

function resetError(code: number): SpdyError {
  const names = Object.keys(statusCodes) as SpdyStatus[];
  const status = names.find((name) => statusCodes[name] === code) ?? 'internalError';
  return new SpdyError(status, `the other side has reset the stream: ${status}`);
}
