import { createReadStream } from 'node:fs';
import type { ImageFormat } from './formats';

/**
 * Counts the frames of a moving image from the structure of its file, without unpacking any, and stops when there are more
 * than `max`: the image library looks at all of them before it says how many there are.
 * @returns 1 for a format whose moving images are stored and shown as still ones
 */
export async function countFrames(path: string, format: ImageFormat, max: number): Promise<number> {
  const counter = counterOf(format);
  if (counter === undefined) return 1;
  // Read in pieces, between which other work runs.
  for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
    counter.push(piece);
    if (counter.isDone || counter.frames > max) break;
  }
  return counter.frames;
}

function counterOf(format: ImageFormat): FrameCounter | undefined {
  if (format === 'gif') return new GifFrames();
  return format === 'webp' ? new WebpFrames() : undefined;
}

/** Passes over what has no part in the structure of a file, and hands on the other bytes one by one. */
abstract class FrameCounter {
  frames = 0;
  isDone = false;

  constructor(private skipped: number) {}

  push(piece: Buffer): void {
    for (let index = 0; index < piece.length && !this.isDone;) {
      if (this.skipped > 0) {
        const length = Math.min(this.skipped, piece.length - index);
        this.skipped -= length;
        index += length;
      } else {
        this.skipped = this.take(piece[index] ?? 0);
        index += 1;
      }
    }
  }

  /** Takes the next byte. @returns how many bytes after it are passed over */
  protected abstract take(byte: number): number;
}

/** GIF89a: a screen descriptor, then blocks; an image or extension is followed by parts of up to 255 bytes, the last one empty. */
class GifFrames extends FrameCounter {
  private expects: 'screen flags' | 'block' | 'image flags' | 'part' = 'screen flags';

  constructor() {
    super(10);
  }

  protected take(byte: number): number {
    switch (this.expects) {
      case 'screen flags':
        this.expects = 'block';
        return 2 + colourTableLength(byte);
      case 'block':
        return this.beginBlock(byte);
      case 'image flags':
        this.expects = 'part';
        return colourTableLength(byte) + 1;
      case 'part':
        if (byte === 0) this.expects = 'block';
        return byte;
    }
  }

  private beginBlock(kind: number): number {
    switch (kind) {
      case extensionBlock:
        this.expects = 'part';
        return 1;
      case imageBlock:
        this.frames += 1;
        this.expects = 'image flags';
        return 8;
      default:
        // The end of the image, or of what can be read of it.
        this.isDone = true;
        return 0;
    }
  }
}

const extensionBlock = 0x21;
const imageBlock = 0x2c;

function colourTableLength(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1);
}

/** RIFF: chunks of a name of four letters, a length and as many bytes, padded to an even number; ANMF is a frame. */
class WebpFrames extends FrameCounter {
  private head = '';

  constructor() {
    super(12);
  }

  protected take(byte: number): number {
    this.head += String.fromCharCode(byte);
    if (this.head.length < 8) return 0;
    const head = Buffer.from(this.head, 'latin1');
    this.head = '';
    if (head.toString('latin1', 0, 4) === 'ANMF') this.frames += 1;
    const length = head.readUInt32LE(4);
    return length + (length % 2);
  }
}
