import { crc32, deflateSync } from 'node:zlib';

/** A whole and valid PNG of one bit a pixel, some hundred kilobytes for any size. */
export function plainPng(width: number, height: number, colour: 'black' | 'white' = 'black'): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(1, 8);
  const rows = blankRows(Math.ceil(width / 8), height, colour === 'white' ? 0xff : 0);
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Each row begins with a byte that says how it is filtered: not at all. */
function blankRows(bytes: number, height: number, value: number): Buffer {
  const row = Buffer.alloc(bytes + 1, value);
  row[0] = 0;
  return Buffer.concat(Array.from({ length: height }, () => row));
}

function chunk(type: string, content: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const frame = Buffer.alloc(typed.length + 8);
  frame.writeUInt32BE(content.length, 0);
  typed.copy(frame, 4);
  frame.writeUInt32BE(crc32(typed), typed.length + 4);
  return frame;
}
